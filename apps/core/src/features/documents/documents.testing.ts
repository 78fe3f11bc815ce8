import assert from 'node:assert/strict'
import { extractText, getDocumentProxy } from 'unpdf'
import { type Answer, type Json, type Person, type TestCore } from '../../testing/core.ts'

export const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]

/** Shared by the tests of documents. */
export function documentTools(core: TestCore) {
  async function ok(answer: Promise<Answer>, status = 201): Promise<Json> {
    const { body, ...rest } = await answer
    assert.equal(rest.status, status, rest.text)
    return body.data
  }

  const download = (id: string, as: Person) =>
    fetch(`${core.url}/v1/appointment-documents/${id}/download`, {
      headers: { authorization: `Bearer ${as.token}` },
      redirect: 'manual',
    })

  /** Follows the redirect and returns the file. */
  async function fileOf(id: string, as: Person): Promise<Buffer> {
    const redirect = await download(id, as)
    assert.equal(redirect.status, 302, await redirect.text())
    const { pathname, search } = new URL(redirect.headers.get('location') ?? '')
    const file = await fetch(core.url + pathname + search)
    assert.equal(file.headers.get('content-type'), 'application/pdf')
    return Buffer.from(await file.arrayBuffer())
  }

  const textOf = async (bytes: Buffer): Promise<string> =>
    (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text.replaceAll(
      /\s+/g,
      ' ',
    )

  const printed = async (id: string, as: Person) => textOf(await fileOf(id, as))

  return { ok, download, fileOf, textOf, printed }
}
