import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import fc from 'fast-check'
import { labelOf, MAX_FILE_NAME_CHARACTERS } from './file-name.ts'

const PDF = { mime: 'application/pdf', extension: 'pdf' }

describe('the name of a file', () => {
  test('the name of a file is one name without a path, with the extension of its kind', () => {
    for (const [given, label] of [
      ['Bilet de trimitere.pdf', 'Bilet de trimitere.pdf'],
      ['RAPORT.PDF', 'RAPORT.PDF'],
      ['../../etc/passwd', 'passwd.pdf'],
      ['C:\\Windows\\system32\\cmd.exe', 'cmd.exe.pdf'],
      ['a\0b\r\nc.pdf', 'abc.pdf'],
      ['invoice\u202efdp.exe', 'invoicefdp.exe.pdf'],
      ['...hidden', 'hidden.pdf'],
      ['..', 'file.pdf'],
      ['', 'file.pdf'],
      ['.pdf', 'pdf.pdf'],
      ['a\u0306.pdf', 'ă.pdf'],
      ['con<>:"|?*.pdf', 'con.pdf'],
      ['x'.repeat(1000) + '.pdf', `${'x'.repeat(MAX_FILE_NAME_CHARACTERS)}.pdf`],
    ] as const) {
      assert.equal(labelOf(given, PDF), label, given.slice(0, 40))
    }
    assert.equal(labelOf('photo.JPEG', { mime: 'image/jpeg', extension: 'jpg' }), 'photo.JPEG')
    assert.equal(labelOf('run.bat', { mime: 'text/plain', extension: 'txt' }), 'run.bat.txt')
  })

  test('the name of a file can be stored, signed and saved, whatever was sent', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 400 }), (units) => {
        const given = String.fromCharCode(...units)
        const label = labelOf(given, PDF)
        assert.ok(label.isWellFormed() && label.length <= MAX_FILE_NAME_CHARACTERS + 6)
        assert.match(label, /^[^/\\\x00-\x1f\x7f-\x9f]+\.pdf$/i)
        assert.ok(!label.startsWith('.') && label.trim() === label)
      }),
      { numRuns: soakRuns(100) },
    )
  })
})
