import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { bodyOf, FILES, partOf, upload } from '../../../platform/uploads.testing.ts'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { documentTools } from '../../documents/documents.testing.ts'

const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]
const picture = (width = 40, height = 20) => sharp({ create: { width, height, channels: 4, background: '#ff000080' } })

describe('settings and images of a clinic', () => {
  let core: TestCore
  let clinic: TestOrganization
  let other: TestOrganization
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization({ phone: '+40 21 000 0000' })
    other = await core.organization()
  })
  after(() => core.close())

  const settingsOf = (of: TestOrganization) => `/v1/organizations/${of.id}/settings`
  const send = (path: string, content: Buffer, type = 'image/png', as: Person = clinic.admin) =>
    upload(core.url + path, as, bodyOf(partOf(content, type, 'x.png')))
  const pathOf = (url: string) => new URL(url, core.url).pathname
  const bytesOf = async (url: string) => {
    const answer = await fetch(core.url + pathOf(url))
    assert.equal(answer.status, 200)
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const newSpecialist = async () => {
    const body = { name: 'Ana Ionescu', slug: `ana-${Math.random().toString(36).slice(2)}` }
    return (await core.post('/v1/specialists', { as: clinic.admin, body })).body.data.id as string
  }

  test('an admin sets the brand colour; a colour with too little contrast and a stale change are refused', async () => {
    const path = settingsOf(clinic)
    const first = (await core.get(path, { as: clinic.admin })).body.data
    assert.deepEqual([first.brand_color, first.logo_url, first.version], [null, null, 1])
    const change = (body: object, as = clinic.admin) => core.patch(path, { as, body })
    const changed = await change({ brand_color: '#0B5A61', version: 1 })
    assert.deepEqual([changed.body.data.brand_color, changed.body.data.version], ['#0b5a61', 2])
    assert.deepEqual(codeOf(await change({ brand_color: '#112233', version: 1 })), [409, 'stale_version'])
    assert.deepEqual(codeOf(await change({ brand_color: '#ffff00' })), [422, 'validation_failed'])
    assert.deepEqual(codeOf(await change({ brand_color: 'red;}' })), [422, 'validation_failed'])
    const specialist = await core.member(clinic, 'specialist')
    assert.deepEqual(codeOf(await change({ brand_color: '#112233' }, specialist)), [403, 'forbidden'])
    assert.equal((await core.get(path, { as: specialist })).status, 200)
    assert.deepEqual(codeOf(await core.get(path, { as: other.admin })), [403, 'organization_mismatch'])
  })

  test('the logo is public, contains no metadata, and is replaced and deleted with its file', async () => {
    const of = await core.organization()
    const logo = `/v1/organizations/${of.id}/logo`
    const withPlace = await picture()
      .jpeg()
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .toBuffer()
    assert.ok(withPlace.includes('Exif'))
    const first = await send(logo, withPlace, 'image/jpeg', of.admin)
    assert.equal(first.status, 201, JSON.stringify(first.body))
    const { answer, bytes } = await bytesOf(first.body.data.logo_url)
    assert.deepEqual(
      ['content-type', 'x-content-type-options'].map((name) => answer.headers.get(name)),
      ['image/jpeg', 'nosniff'],
    )
    assert.match(answer.headers.get('content-security-policy') ?? '', /^sandbox/)
    assert.ok(!bytes.includes('Exif') && !bytes.includes('GPS'))
    const second = await send(logo, await picture(3000, 1500).png().toBuffer(), 'image/png', of.admin)
    const { width, height } = await sharp((await bytesOf(second.body.data.logo_url)).bytes).metadata()
    assert.deepEqual([width, height], [800, 400])
    assert.equal((await core.get(pathOf(first.body.data.logo_url))).status, 404)
    assert.equal((await core.delete(logo, { as: of.admin })).status, 204)
    assert.deepEqual(codeOf(await core.delete(logo, { as: of.admin })), [404, 'image_not_found'])
    assert.equal((await core.get(pathOf(second.body.data.logo_url))).status, 404)
  })

  test('a file that cannot be decoded as an image is refused, and nothing is stored', async () => {
    const path = `/v1/organizations/${clinic.id}/images`
    const keys = () => Array.fromAsync(core.services.objects.list(`clinic-images/${clinic.id}/`))
    const kept = await keys()
    const png = await picture().png().toBuffer()
    for (const [content, type] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'image/svg+xml'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'],
      [FILES.pdf, 'image/png'],
      [png, 'image/jpeg'],
      [png.subarray(0, 60), 'image/png'],
      [FILES.jpeg, 'image/jpeg'],
      [await picture(20, 20).gif().toBuffer(), 'image/gif'],
      [await picture(6000, 6000).png().toBuffer(), 'image/png'],
    ] as const)
      assert.deepEqual(codeOf(await send(path, content, type)), [400, 'invalid_file_type'], type)
    const large = Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)])
    assert.deepEqual(codeOf(await send(path, large)), [400, 'file_too_large'])
    const polyglot = await send(path, Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]))
    assert.ok([201, 400].includes(polyglot.status))
    if (polyglot.status === 201) await core.delete(`${path}/${polyglot.body.data.id}`, { as: clinic.admin })
    assert.deepEqual(codeOf(await send(path, png, 'image/png', await core.member(clinic, 'specialist'))), [
      403,
      'forbidden',
    ])
    assert.deepEqual((await keys()).length - kept.length, polyglot.status === 201 ? 1 : 0)
  })

  test('the avatar of a specialist is public and square; the signature is not public', async () => {
    const id = await newSpecialist()
    const avatar = await send(`/v1/specialists/${id}/avatar`, await picture(600, 300).png().toBuffer())
    assert.equal(avatar.status, 201, JSON.stringify(avatar.body))
    const { width, height } = await sharp((await bytesOf(avatar.body.data.avatar_url)).bytes).metadata()
    assert.deepEqual([width, height], [512, 512])
    const signed = await send(`/v1/specialists/${id}/signature`, await picture().png().toBuffer())
    const { signature_url } = signed.body.data
    assert.equal(signature_url, `/v1/specialists/${id}/signature`)
    const shown = (await core.get(`/v1/specialists/${id}`, { as: clinic.admin })).body.data
    assert.deepEqual([shown.avatar_url, shown.signature_url], [avatar.body.data.avatar_url, signature_url])
    assert.equal((await core.get(signature_url)).status, 401)
    assert.equal((await core.get(signature_url, { as: clinic.admin })).status, 302)
    const colleague = await core.member(clinic, 'specialist')
    assert.deepEqual(codeOf(await core.get(signature_url, { as: colleague })), [403, 'forbidden'])
    assert.equal((await core.get(signature_url, { as: other.admin })).status, 404)
    const [image] = await core.database.query<{ id: string }>(
      `select id from clinic_images where purpose = 'signature' and specialist_id = $1`,
      [id],
    )
    assert.equal((await core.get(`/v1/public/images/${image?.id}`)).status, 404)
    assert.deepEqual(codeOf(await send(`/v1/specialists/${id}/avatar`, FILES.png, 'image/png', other.admin)), [
      404,
      'specialist_not_found',
    ])
    assert.equal((await core.delete(`/v1/specialists/${id}/avatar`, { as: clinic.admin })).status, 204)
    assert.equal((await core.get(`/v1/specialists/${id}`, { as: clinic.admin })).body.data.avatar_url, null)
  })

  test('of ten concurrent uploads of a logo one remains', async () => {
    const of = await core.organization()
    const png = await picture().png().toBuffer()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(`/v1/organizations/${of.id}/logo`, png, 'image/png', of.admin)),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(10).fill(201),
    )
    const rows = await core.database.query('select 1 from clinic_images where organization_id = $1', [of.id])
    assert.equal(rows.length, 1)
  })

  test('the branding of a clinic has its name, language, colour, logo and telephone numbers, and nothing else', async () => {
    await send(`/v1/organizations/${clinic.id}/logo`, await picture().png().toBuffer())
    await core.patch(settingsOf(clinic), { as: clinic.admin, body: { brand_color: '#0b5a61' } })
    const { status, body } = await core.get(`/v1/public/organizations/${clinic.slug}/branding`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.data).sort(), [
      'brand_color',
      'emergency_number',
      'formats',
      'language_code',
      'logo_url',
      'name',
      'phone',
      'slug',
    ])
    assert.equal(body.data.brand_color, '#0b5a61')
    assert.deepEqual(codeOf(await core.get('/v1/public/organizations/nobody-here/branding')), [
      404,
      'organization_not_found',
    ])
  })

  test('the branding may be cached: it answers 304 until the clinic changes it', async () => {
    const path = `/v1/public/organizations/${clinic.slug}/branding`
    const first = await core.get(path)
    assert.equal(first.headers.get('cache-control'), 'public, max-age=60')
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    assert.equal((await core.get(path, { headers })).status, 304)
    await core.patch(settingsOf(clinic), { as: clinic.admin, body: { brand_color: '#7a0b61' } })
    const changed = await core.get(path, { headers })
    assert.deepEqual([changed.status, changed.body.data.brand_color], [200, '#7a0b61'])
  })

  test('a template prints images and the logo of the clinic; an image used by a template cannot be deleted', async () => {
    const path = `/v1/organizations/${clinic.id}/images`
    const { id } = (await send(path, await picture().png().toBuffer())).body.data
    const template = {
      kind: 'attendance_certificate',
      language: 'en',
      blocks: [{ type: 'image', image_id: id, alt: 'Map', width_percent: 30 }],
    }
    const preview = await fetch(`${core.url}/v1/pdf-templates/preview`, {
      method: 'POST',
      headers: { authorization: `Bearer ${clinic.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(template),
    })
    assert.equal(preview.status, 200)
    const pdf = Buffer.from(await preview.arrayBuffer())
    assert.equal(pdf.toString('latin1').match(/\/Subtype\s*\/Image/g)?.length, 4, 'two images, each with its mask')
    assert.match(await documentTools(core).textOf(pdf), /Clinica Test/)
    const created = await core.post('/v1/pdf-templates', { as: clinic.admin, body: { ...template, name: 'Map' } })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(codeOf(await core.delete(`${path}/${id}`, { as: clinic.admin })), [409, 'image_in_use'])
    const foreign = await core.post('/v1/pdf-templates', { as: other.admin, body: { ...template, name: 'Map' } })
    assert.deepEqual(codeOf(foreign), [422, 'invalid_blocks'])
    await core.delete(`/v1/pdf-templates/${created.body.data.id}`, { as: clinic.admin })
    assert.equal((await core.delete(`${path}/${id}`, { as: clinic.admin })).status, 204)
  })
})
