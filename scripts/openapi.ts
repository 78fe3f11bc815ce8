// Writes the OpenAPI documents of the services into a folder: npm run openapi -- <folder>
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openApiDocuments } from './openapi/documents.ts'

const folder = process.argv[2] ?? '.data/openapi'
await mkdir(folder, { recursive: true })
for (const [name, document] of Object.entries(await openApiDocuments())) {
  const path = join(folder, `${name}.json`)
  const text = `${JSON.stringify(document, null, 2)}\n`
  await writeFile(path, text)
  console.log(`${path}: ${text.split('\n').length} lines`)
}
