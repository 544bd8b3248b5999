# Turns the C++ blocks of Markdown pages into test cases, one a block.  A block with
# a class is not run but stands before those that follow.
# The includes of all blocks come first.

function base(path)
{
  sub(/.*\//, "", path)
  return path
}

FNR == 1 { inside = 0 }
!inside && /^```c\+\+/ { inside = 1; first = FNR + 1; text = ""; next }
inside && /^```/ {
  inside = 0
  if (text ~ /(^|\n)class /)
    code = code "\n#line " first " \"" FILENAME "\"\n" text
  else
    code = code "\nTEST_CASE(\"" base(FILENAME) ", line " first \
        "\", \"[DocsTest]\")\n{\n#line " first " \"" FILENAME "\"\n" text "}\n"
  next
}
inside && /^#include/ { includes = includes $0 "\n"; text = text "\n"; next }
inside { text = text $0 "\n" }
END {
  printf "%s#include \"test_tools.hpp\"\n\nnamespace {\n%s\n}\n", includes, code
}
