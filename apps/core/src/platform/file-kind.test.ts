import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HEAD_BYTES, inspectionOf, kindOf } from './file-kind.ts'
import { DOCX, FILES, zipOf } from './uploads.testing.ts'

/** What an upload would make of it, in pieces of `piece` bytes. */
async function judge(content: Buffer, declared: string, piece = content.length): Promise<string | undefined> {
  const head = content.subarray(0, HEAD_BYTES)
  const kind = await kindOf(head, declared)
  if (!kind) return undefined
  const inspection = inspectionOf(kind, head)
  for (let at = 0; at < content.length; at += piece) {
    if (!inspection.take(content.subarray(at, at + piece))) return undefined
  }
  return inspection.end() ? kind.mime : undefined
}

describe('the kind of a file', () => {
  test('the kind of a file is the one on which bytes and declared type agree', async () => {
    for (const [content, declared, mime] of [
      [FILES.png, 'image/png', 'image/png'],
      [FILES.jpeg, 'image/jpg', 'image/jpeg'],
      [FILES.jpeg, 'IMAGE/JPEG; q=1', 'image/jpeg'],
      [FILES.pdf, 'application/pdf', 'application/pdf'],
      [FILES.docx, DOCX, DOCX],
      [FILES.text, 'text/plain; charset=utf-8', 'text/plain'],
      [Buffer.from('BMI 24; MZ'), 'text/plain', 'text/plain'],
      [Buffer.from('\ufeffnume,vârstă\nAna,41\n'), 'text/csv', 'text/csv'],
    ] as const) {
      assert.equal(await judge(content, declared), mime, declared)
      assert.equal(await judge(content, declared, 1), mime, `${declared}, byte by byte`)
    }
  })

  test('the kind of a file is unknown when they differ or cannot be determined', async () => {
    for (const [content, declared] of [
      [FILES.png, 'image/jpeg'],
      [FILES.exe, 'application/pdf'],
      [FILES.exe, 'text/plain'],
      [FILES.gzip, 'text/plain'],
      [FILES.gzip, 'application/pdf'],
      [FILES.docx, 'application/pdf'],
      [FILES.text, 'application/pdf'],
      [FILES.text, 'application/octet-stream'],
      [FILES.text, ''],
      [Buffer.from([0]), 'image/png'],
      [Buffer.from('<svg onload="alert(1)"/>'), 'image/svg+xml'],
      [Buffer.from(' \n<!DOCTYPE html><script>alert(1)</script>'), 'text/plain'],
      [Buffer.from('%PDF-1.4 in plain letters'), 'text/plain'],
      [Buffer.from('#!/bin/sh\n'), 'text/plain'],
      [Buffer.from('a\0b'), 'text/plain'],
      [Buffer.from('latin1: \xe4', 'latin1'), 'text/csv'],
      [Buffer.from('cut in a character: \u0103').subarray(0, -1), 'text/plain'],
    ] as const) {
      assert.equal(await judge(content, declared), undefined, `${declared}: ${content.toString('latin1', 0, 30)}`)
    }
  })

  test('the kind of a file is never ambiguous', async () => {
    const archive = zipOf('evil.class', Buffer.from('x'))
    for (const [content, declared] of [
      [Buffer.concat([FILES.png, archive]), 'image/png'],
      [Buffer.concat([FILES.pdf, archive, Buffer.alloc(60_000)]), 'application/pdf'],
      [Buffer.concat([FILES.jpeg, Buffer.from('<script>alert(1)</script>')]), 'image/jpeg'],
      [Buffer.from('GIF89a/*<html><body>*/'), 'image/gif'],
      [Buffer.concat([FILES.text, Buffer.alloc(100_000, 'a'), archive]), 'text/plain'],
    ] as const) {
      assert.equal(await judge(content, declared), undefined, declared)
      assert.equal(await judge(content, declared, 1000), undefined, declared)
    }
  })

  test('the kind of a file of an archive is found without unpacking it', async () => {
    const bomb = zipOf('[Content_Types].xml', Buffer.alloc(30_000_000))
    assert.ok(bomb.length < HEAD_BYTES)
    const before = process.memoryUsage.rss()
    assert.equal(await judge(bomb, DOCX), undefined)
    assert.ok(process.memoryUsage.rss() - before < 20_000_000)
  })
})
