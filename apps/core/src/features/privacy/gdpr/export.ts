import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { AuditLog, resolveLanguage } from '@tendon/access'
import type { ExportManifest } from '@tendon/contracts'
import {
  type DataClass,
  type Exported,
  type ExportTools,
  patientColumnOf,
  type Row,
} from '../../../platform/data-class.ts'
import type { JobTools } from '../../../platform/jobs.ts'
import type { ZipEntry } from '../../../platform/zip.ts'
import { pageHtml, type Reader, rowHtml, type Section } from './index-page.ts'
import { PAGE_TEXTS } from './texts.ts'
import { listRows, type Organization, readNamesIn, type Work } from './work-queries.ts'

const PAGE_ROWS = 200
const MAX_SHOWN_ROWS = 200

interface ExportWork {
  tools: JobTools
  classes: readonly DataClass[]
  work: Work
  organization: Organization
  now: Date
  /** Told after each class; throws when the export is over. */
  onProgress: (done: number, of: number) => Promise<void>
}

/**
 * The contents of the ZIP, each made while it is written: rows of each class, their files, a page for people, and last the
 * manifest, which tells of all the others. `manifest` fills as the entries are taken.
 */
export class PatientExport {
  readonly manifest: ExportManifest
  readonly #sections: Section[] = []
  readonly #work: ExportWork
  readonly #reader: Reader
  readonly #tools: ExportTools

  constructor(work: ExportWork) {
    const { organization, work: request, now, tools } = work
    const { services } = tools
    this.#work = work
    this.#reader = { language: resolveLanguage(null, organization.language_code), timeZone: organization.time_zone }
    this.#tools = { services, organizationId: organization.id, auditLog: new AuditLog(services.box) }
    this.manifest = {
      created_at: now.toISOString(),
      organization: { id: organization.id, name: organization.name },
      patient_id: request.patient_id,
      request_id: request.id,
      files: [],
      left_out: [],
    }
  }

  async *entries(): AsyncGenerator<ZipEntry> {
    const { classes, onProgress } = this.#work
    for (const [index, one] of classes.entries()) {
      if ('leftOut' in one.export) this.#leaveOut(one.name, one.export.leftOut[this.#reader.language])
      else yield* this.#classEntries(one, one.export)
      await onProgress(index + 1, classes.length)
    }
    yield this.#entry('index.html', [Buffer.from(pageHtml(this.manifest, this.#sections, this.#reader))])
    yield { name: 'manifest.json', content: [Buffer.from(`${JSON.stringify(this.manifest, null, 2)}\n`)] }
  }

  async *#classEntries(one: DataClass, exported: Exported): AsyncGenerator<ZipEntry> {
    const file = `${one.name}.ndjson`
    const section: Section = { name: one.name, label: one.label[this.#reader.language], file, total: 0, shown: [] }
    this.#sections.push(section)
    const files = new Map<string, string>()
    yield this.#entry(file, this.#lines(one, exported, section, files), section)
    for (const [name, key] of files) {
      const object = await this.#work.tools.services.objects.get(key)
      if (object) yield this.#entry(name, object.body)
      else this.#leaveOut(name, PAGE_TEXTS[this.#reader.language].missingFile)
    }
  }

  /** Pages of rows, one JSON text a line; notes the files that rows name. */
  async *#lines(one: DataClass, exported: Exported, section: Section, files: Map<string, string>) {
    const show = exported.show ?? ((row: Row) => row)
    for await (const rows of this.#pages(one, exported)) {
      const shown = rows.map((row) => {
        const { [one.files ?? '']: key, ...visible } = show(row, this.#tools)
        if (typeof key !== 'string') return visible
        const file = `files/${one.name}/${String(row.id)}${extname(key)}`
        files.set(file, key)
        return { ...visible, file }
      })
      section.total += shown.length
      const room = MAX_SHOWN_ROWS - section.shown.length
      for (const { [exported.fileOnly ?? '']: _hidden, ...row } of shown.slice(0, room)) {
        section.shown.push(rowHtml(row, this.#reader))
      }
      yield Buffer.from(shown.map((row) => `${JSON.stringify(row)}\n`).join(''))
    }
  }

  /** Each page is a short transaction of its own: a slow store holds no connection. */
  async *#pages(one: DataClass, { rows: wanted }: Exported): AsyncGenerator<Row[]> {
    const { tools, work } = this.#work
    let last: Row | undefined
    for (;;) {
      tools.signal.throwIfAborted()
      const rows = await tools.tenant(async (tx) => {
        await readNamesIn(tx, this.#reader.language)
        if (typeof wanted === 'function') return wanted(tx, work, last, PAGE_ROWS)
        const place = patientColumnOf(one)
        if (!place) throw new Error(`${one.name} does not name the patient column`)
        const of = { table: one.table, column: place.column, value: work[place.holds] }
        return listRows(tx, of, one.files === undefined ? wanted : [...wanted, one.files], last?.id, PAGE_ROWS)
      })
      if (rows.length > 0) yield rows
      if (rows.length < PAGE_ROWS) return
      last = rows.at(-1)
    }
  }

  /** Measures the content as it passes, for the manifest. */
  #entry(name: string, content: ZipEntry['content'], section?: Section): ZipEntry {
    const { files } = this.manifest
    async function* measured() {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const chunk of content) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
      files.push({ name, rows: section?.total ?? null, bytes, sha256: hash.digest('hex') })
    }
    return { name, content: measured() }
  }

  #leaveOut(name: string, reason: string): void {
    this.manifest.left_out.push({ name, reason })
  }
}
