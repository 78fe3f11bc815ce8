import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPdfRenderer, type PdfDocument } from '@tendon/pdf'
import { createTestDatabase } from '@tendon/testing'
import { createCompiler } from '../packages/pdf/src/compile.ts'
import { readFonts } from '../packages/pdf/src/fonts.ts'
import { createRenderInput } from '../packages/pdf/src/input.ts'
import type { BenchOptions } from './bench.ts'
import { adminOf, newClinic, serverEnv } from './clinics.ts'
import { at, load } from './load.ts'
import { Report } from './report.ts'

const PAGES = 30
const PAIRS = 3
/** As in packages/pdf/src/renderer.ts. */
const MAX_REST_MS = 500
const CLIENTS = 2
const READS_PER_SECOND = 100

/** A page with a table and a QR code; each number gives another document. */
const page = (number: number): PdfDocument => ({
  title: `Plan de tratament ${number}`,
  language: 'ro',
  clinic: { name: 'Mlădița', lines: ['Strada Lipscani 12', 'București'], logo: null },
  brand_color: '#0b7a61',
  verification: {
    label: 'Verify',
    url: `https://tendon.example/v1/public/documents/verify/${number}`,
    code: `${number}`,
  },
  blocks: [
    { type: 'heading', level: 2, text: 'Exerciții' },
    { type: 'text', text: `Înălțime și greutate: țesut ${number}` },
    {
      type: 'table',
      columns: ['Exercițiu', 'Serii', 'Repetări'],
      rows: Array.from({ length: 12 }, (_, row) => [`Genuflexiune ${number} ${row}`, '3', String(row)]),
    },
  ],
  created_at: new Date('2026-11-16T10:00:00Z'),
})

/** A page of PDF compared with the bare compile, and reads beside rendering. */
export async function benchDocuments({ startServer, issuer, dataDir, seconds }: BenchOptions): Promise<void> {
  const report = new Report()
  const workspace = await mkdtemp(join(tmpdir(), 'tendon-bench-'))
  const compile = createCompiler(workspace)
  const renderInput = createRenderInput(readFonts())
  const renderer = createPdfRenderer({ processes: 1, timeoutMs: 30_000 })
  await renderer.render(page(0))
  compile(renderInput(page(0)))
  const times: { rendered: number; bare: number }[] = []
  for (let number = 1; number <= PAGES; number += 1) {
    const input = renderInput(page(number))
    const started = performance.now()
    compile(input)
    const between = performance.now()
    await renderer.render(page(number + PAGES))
    times.push({ bare: between - started, rendered: performance.now() - between })
    await sleep(MAX_REST_MS) // so that the next page does not wait for the rest of the process
  }
  await renderer.close()
  await rm(workspace, { recursive: true })
  const medianOf = (of: (one: (typeof times)[number]) => number) => at(times.map(of), 0.5)
  report.text(
    `A page of PDF: ${medianOf(({ rendered }) => rendered).toFixed(1)} ms, the bare compile ${medianOf(({ bare }) => bare).toFixed(1)} ms`,
  )
  report.below(
    'A page of PDF ÷ the bare compile',
    medianOf(({ rendered, bare }) => rendered / bare),
    2,
  )

  const database = await createTestDatabase()
  const { port } = await startServer('core', '', serverEnv(database, issuer, dataDir))
  const clinic = await newClinic(database, 'documents')
  const { token } = await adminOf(clinic, { database, issuer, port })
  const appointments = await database.query<{ id: string }>(
    `with made as (
       insert into services (organization_id, name, slug, duration_minutes) values ($1, 'Session', 'session', 30) returning id)
     insert into appointments (organization_id, service_id, starts_at, ends_at, time_zone, mode, status, source)
     select $1, id, now() + interval '1 day', now() + interval '25 hours', 'Europe/Bucharest', 'in_person', 'confirmed', 'staff'
     from made, generate_series(1, $2) returning id`,
    [clinic, CLIENTS],
  )
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
  }
  let made = 0
  /** Every document contains another time, so that each is rendered. */
  async function makeDocuments(appointment: string, until: { done: boolean }): Promise<void> {
    while (!until.done) {
      await database.query(`update appointments set starts_at = starts_at - interval '1 second' where id = $1`, [
        appointment,
      ])
      await call('POST', `/v1/appointments/${appointment}/documents`, { language: made % 2 ? 'ro' : 'en' })
      made += 1
    }
  }
  const reads = () =>
    load({
      port,
      connections: 4,
      seconds,
      rate: READS_PER_SECOND,
      settle: 0.5,
      request: () =>
        `GET /v1/organizations/${clinic} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`,
    })
  for (const { id } of appointments) await call('POST', `/v1/appointments/${id}/documents`, {})
  async function readsBesideRendering() {
    const until = { done: false }
    const makers = appointments.map(({ id }) => makeDocuments(id, until))
    const beside = await reads()
    until.done = true
    await Promise.all(makers)
    return beside
  }
  // Both paths are warm before the first pair.
  await reads()
  await readsBesideRendering()
  made = 0
  const ratios: number[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const alone = await reads()
    const beside = await readsBesideRendering()
    report.text(`  p99 alone ${alone.p99.toFixed(1)} ms, beside rendering ${beside.p99.toFixed(1)} ms`)
    ratios.push(beside.p99 / alone.p99)
  }
  report.text(`Documents made meanwhile: ${made}`)
  report.below('p99 of reads beside rendering ÷ without', at(ratios, 0.5), 1.5)
  report.print()
  await database.drop()
}
