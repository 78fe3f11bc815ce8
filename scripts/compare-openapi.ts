// What two OpenAPI documents promise differently: node scripts/compare-openapi.ts <before.json> <after.json>
// Compares paths, methods, status codes and error codes. Exits with 1 when something is gone.
import { readFileSync } from 'node:fs'
import { promisesOf } from './openapi/promises.ts'

const [before, after] = process.argv
  .slice(2)
  .map((path) => promisesOf(JSON.parse(readFileSync(path, 'utf8')) as object))
if (!before || !after) throw new Error('Usage: node scripts/compare-openapi.ts <before.json> <after.json>')
const gone = [...before].filter((promise) => !after.has(promise))
const added = [...after].filter((promise) => !before.has(promise))
for (const promise of gone) console.log(`- ${promise}`)
for (const promise of added) console.log(`+ ${promise}`)
console.log(`${before.size} before, ${after.size} after: ${gone.length} gone, ${added.length} added`)
process.exitCode = gone.length > 0 ? 1 : 0
