// Runs an ONNX model on points and prints all its outputs.
//
//   node run_onnx.cjs NODE_MODULES_FOLDER MODEL POINTS
//
// POINTS is a JSON file of rows of numbers, with null for what is missing.
const fs = require("fs");
const { createRequire } = require("module");

async function main(folder, file, points) {
  const ort = createRequire(folder + "/")("onnxruntime-web");
  ort.env.wasm.numThreads = 1;
  const rows = JSON.parse(fs.readFileSync(points, "utf8"));
  const values = Float32Array.from(rows.flat(), x => (x === null ? NaN : x));
  const session = await ort.InferenceSession.create(fs.readFileSync(file));
  const result = await session.run({
    X: new ort.Tensor("float32", values, [rows.length, rows[0].length]) });
  const printed = {};
  for (const name of session.outputNames)
    printed[name] = { dims: result[name].dims, type: result[name].type,
                      data: Array.from(result[name].data, Number) };
  console.log(JSON.stringify(printed));
}

main(...process.argv.slice(2)).catch(error => {
  console.error(error);
  process.exit(1);
});
