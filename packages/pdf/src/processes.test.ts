import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { processesWith } from '@tendon/testing'
import { createPdfRenderer, type PdfDocument, PdfFailure } from './index.ts'

const DOCUMENT: PdfDocument = {
  title: 'Letter',
  language: 'en',
  clinic: { name: 'Mlădița', lines: [], logo: null },
  brand_color: '#0b7a61',
  verification: { label: 'Verify', url: 'https://tendon.example/v1/public/documents/verify/abc', code: 'abc' },
  blocks: [{ type: 'text', text: 'Hello' }],
  created_at: new Date('2026-11-16T10:00:00Z'),
}

/** In Linux: its parent is this process. */
const isOurs = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(process.pid)

describe('rendering processes', () => {
  test('a document that arrives while an idle process is stopped is rendered by another one', async () => {
    const renderer = createPdfRenderer({ processes: 1, timeoutMs: 30_000, idleMs: 0 })
    try {
      for (let round = 0; round < 5; round++) {
        assert.equal((await renderer.render(DOCUMENT)).pages, 1)
        // The timer of the idle process was set earlier, so it has fired after this one.
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    } finally {
      await renderer.close()
    }
  })

  test('a process uses about half a core for usual documents, at the lowest priority', async () => {
    const renderer = createPdfRenderer({ processes: 1, timeoutMs: 60_000 })
    try {
      await renderer.render(DOCUMENT)
      const [child, ...others] = processesWith('pdf/src/render-process.ts').filter(({ pid }) => isOurs(pid))
      assert.ok(child)
      assert.equal(others.length, 0)
      assert.equal(getPriority(child.pid), constants.priority.PRIORITY_LOW)
      // The first documents are compiled with code that is not optimized yet, in other threads too.
      for (let count = 0; count < 10; count += 1) await renderer.render(DOCUMENT)
      const used = () =>
        processesWith('pdf/src/render-process.ts').find(({ pid }) => pid === child.pid)?.processorSeconds
      const [before, started] = [used() ?? 0, performance.now()]
      for (let count = 0; count < 60; count += 1) await renderer.render(DOCUMENT)
      const share = ((used() ?? 0) - before) / ((performance.now() - started) / 1000)
      assert.ok(share > 0 && share < 0.65, `${share} of a core`)
    } finally {
      await renderer.close()
    }
  })

  test('a process that cannot be started is a failure of its document only; the next one starts it again', async () => {
    const renderer = createPdfRenderer({ processes: 1, timeoutMs: 30_000 })
    const { TMPDIR } = process.env
    try {
      process.env.TMPDIR = join(import.meta.dirname, 'missing')
      const failed = renderer.render(DOCUMENT)
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
      await assert.rejects(failed, PdfFailure)
      let loads = 0
      const counted = async () => {
        loads++
        return DOCUMENT
      }
      assert.equal((await renderer.render(counted)).pages, 1)
      assert.equal(loads, 1)
    } finally {
      await renderer.close()
    }
  })
})
