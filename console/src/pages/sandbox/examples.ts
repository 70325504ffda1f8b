/** Programs to start with. */
export const EXAMPLES = {
  python: 'import sys\n\nname = sys.stdin.read().strip() or "world"\nprint("Hello", name)\n',
  javascript: "const name = require('fs').readFileSync(0, 'utf8').trim() || 'world';\nconsole.log('Hello', name);\n",
  typescript:
    "import { readFileSync } from 'node:fs';\n\nconst name: string = readFileSync(0, 'utf8').trim() || 'world';\nconsole.log('Hello', name);\n",
  go: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("Hello world")\n}\n',
  ruby: 'name = $stdin.read.to_s.strip\nputs "Hello " + (name.empty? ? "world" : name)\n',
  bash: 'read -r name\necho "Hello $name"\n',
} as const;
export type Language = keyof typeof EXAMPLES;
