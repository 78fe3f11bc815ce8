import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const GENERATED = join(import.meta.dirname, '../../../../../../docs/generated')

/** The OpenAPI document of another service, as the repository keeps it (`npm run generate`), with the URL that callers use. */
export async function otherDocument(service: 'composer' | 'telemetry', serverUrl: string): Promise<object> {
  const text = await readFile(join(GENERATED, `${service}-openapi.json`), 'utf8')
  return { ...(JSON.parse(text) as object), servers: [{ url: serverUrl }] }
}
