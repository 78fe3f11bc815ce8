import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { consoleRo } from '../../console/messages/ro.ts'
import { platformRo } from '../../platform/messages/ro.ts'
import { portalRo } from '../../portal/messages/ro.ts'
import { uiRo } from './ro.ts'

const ROOT = join(import.meta.dirname, '../../../..')

/** Words that address one person as "tu", with "ai" below, unless it is the article ("mușchii ai gâtului"). */
const FAMILIAR = `tu te tine îți ți tău ta tăi tale ești erai aveai vei poți vrei vezi știi faci dai afli alegi
  anulezi apeși cauți completezi confirmi elimini găsești începi intri lași lucrezi marchezi mergi muți părăsești
  publici ridici rămâi renunți retragi revino salvezi sari schimbi semnezi ștergi umpli ieși fă`

/** An imperative that is also the third person ("ședința începe"): refused where a clause begins and after "apoi". */
const IMPERATIVE = `abonează activează adaugă afișează alege anulează anunță apasă aprinde arată arhivează așază
  așteaptă atinge caută cere citește completează confirmă contactează continuă copiază corectează creează dă
  deschide descarcă dezactivează elimină folosește golește închide încarcă încearcă încheie începe înlocuiește
  înregistrează întoarce întreabă intră invită leagă marchează menține mișcă modifică mută notează numără numește
  oprește părăsește păstrează permite pornește pregătește programează publică pune redă reîncarcă renunță retrage
  revocă ridică salvează schimbă scoate scrie semnează stabilește sună șterge termină ține tipărește trimite
  verifică`

const AI = 'ai(?!\\s(?:\\p{L}+(?:lui|lor|ei|ii)|noștri|voștri)(?!\\p{L}))'
const words = (list: string) => list.trim().split(/\s+/).join('|')
const familiar = new RegExp(`(?<![\\p{L}_])(${words(FAMILIAR)}|${AI})(?![\\p{L}_])`, 'iu')
const imperative = new RegExp(`(?<=^|[.,?!:;…({„'"\`]\\s*|apoi )(${words(IMPERATIVE)})(?![\\p{L}_])`, 'iu')
/** "Verific-o", "anulează-le"; not "verificați-o", "citindu-l", "într-o". */
const withPronoun = /(?<!\p{L})\p{L}{2,}(?<!ți|du|să|tr)-(o|l|le|i)(?!\p{L})/iu

const problemOf = (text: string, rules: readonly RegExp[]) => {
  // "AI" is the abbreviation.
  const found = rules.map((rule) => rule.exec(text.replaceAll('AI', ''))?.[0]).find((word) => word !== undefined)
  return found === undefined ? [] : [`${found}: ${text.trim().slice(0, 100)}`]
}

const ALL = [familiar, imperative, withPronoun]

/** Messages, or groups of them (with a dot at the end), whose verb is in the third person. */
const THIRD_PERSON: Record<string, string> = {
  'ui.permissions.': 'what the owner of a permission does: "(who) adds patients"',
  'console.patients.statuses.claimed': 'the patient uses the portal',
  'console.plans.safety.reason': 'the exercise needs a reason',
  'portal.booking.status.pending': 'the visit waits for the clinic',
}

const isExcepted = (key: string, exception: string) =>
  exception.endsWith('.') ? key.startsWith(exception) : key === exception

const leaves = (value: unknown, path: string): [string, string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value ?? {}).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))

describe('Romanian', () => {
  const messages = [
    ...leaves(uiRo, 'ui'),
    ...leaves(consoleRo, 'console'),
    ...leaves(portalRo, 'portal'),
    ...leaves(platformRo, 'platform'),
  ]

  test('every message addresses the reader with the polite plural', () => {
    const exceptions = Object.keys(THIRD_PERSON)
    const problems = messages
      .filter(([key]) => !exceptions.some((one) => isExcepted(key, one)))
      .flatMap(([key, message]) => problemOf(message, ALL).map((problem) => `${key}: ${problem}`))
    assert.deepEqual(problems, [])
  })

  test('every exception names a message that needs it', () => {
    for (const exception of Object.keys(THIRD_PERSON))
      assert.ok(
        messages.some(([key, message]) => isExcepted(key, exception) && problemOf(message, ALL).length > 0),
        exception,
      )
  })

  test('the list tells "tu" from the polite plural', () => {
    for (const text of ['Ce ai scris', 'Apasă J', 'Da, apoi încearcă', 'Verific-o.', 'Ți-a scris', 'ȘTERGE', 'la tine'])
      assert.equal(problemOf(text, ALL).length, 1, text)
    for (const text of ['Ce ați scris', 'Apăsați J', 'Ședința începe', 'Verificați-o.', 'Mă doare', 'Continui', 'AI'])
      assert.deepEqual(problemOf(text, ALL), [], text)
  })

  // Mails, documents and seeds are in the sources: a line with a Romanian letter is Romanian. Descriptions of exercises
  // begin with a verb in the third person ("Întărește coapsele"), so imperatives are looked for in the services only.
  for (const [files, rules] of [
    ['{apps/core,apps/identity,packages/*}/src/**/*.ts', ALL],
    ['{database/{seed,functions}/*.sql,scripts/start/*.ts,scripts/demo-films/**/*.vtt}', [familiar, withPronoun]],
  ] as const)
    test(`the Romanian texts of ${files} are polite`, () => {
      const texts = globSync(files, { cwd: ROOT })
        .filter((file) => !/\.test(ing)?\.ts$/.test(file))
        .flatMap((file) => readFileSync(join(ROOT, file), 'utf8').split('\n'))
        .filter((line) => /[ăâîșț]/i.test(line))
      assert.ok(texts.length > 50, String(texts.length))
      assert.deepEqual(
        texts.flatMap((line) => problemOf(line, rules)),
        [],
      )
    })
})
