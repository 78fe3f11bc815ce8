// Run as a process of its own by scripts/test.ts: the tests of the files named, one after the other.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href)
