// Runs ONNX models on points and prints all their outputs.
//
//   node run_onnx.cjs FOLDER
//
// FOLDER is where npm has installed onnxruntime-web.  Each line of standard input
// is JSON: {"model": <file>, "points": <rows of numbers, null if missing>}; each
// line of standard output answers one.
const fs = require("fs");
const readline = require("readline");
const { createRequire } = require("module");

const ort = createRequire(process.argv[2] + "/")("onnxruntime-web");
ort.env.wasm.numThreads = 1;

async function run({ model, points }) {
  const values = Float32Array.from(points.flat(), x => (x === null ? NaN : x));
  const session = await ort.InferenceSession.create(fs.readFileSync(model));
  const result = await session.run({
    X: new ort.Tensor("float32", values, [points.length, points[0].length]) });
  const printed = {};
  for (const name of session.outputNames)
    printed[name] = { dims: result[name].dims, type: result[name].type,
                      data: Array.from(result[name].data, Number) };
  return printed;
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin }))
    console.log(JSON.stringify(await run(JSON.parse(line))));
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
