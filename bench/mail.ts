import { readConfig } from '@tendon/config'
import { mailTemplate } from '@tendon/mail'
import { createTestDatabase, startSmtpServer } from '@tendon/testing'
import nodemailer from 'nodemailer'
import { createServices } from '../apps/core/src/create-services.ts'
import { createMailRound } from '../apps/core/src/features/connections/mails/loop.ts'
import type { BenchOptions } from './bench.ts'
import { newClinic, serverEnv } from './clinics.ts'
import { Report } from './report.ts'

const MAILS = 400
const ROUNDS = 3
const AIM = 0.7
const TEXT = 'Your visit is tomorrow at ten. Bring comfortable clothes and arrive five minutes early.'

/** The mail loop compared with nodemailer alone: the same server, the same kind of mail, five connections each. */
export async function benchMail({ issuer, dataDir }: BenchOptions): Promise<void> {
  const [database, smtp] = [await createTestDatabase(), await startSmtpServer()]
  const config = readConfig({
    ...serverEnv(database, issuer, dataDir),
    OUTBOUND_ALLOW_PRIVATE: 'true',
    MAIL_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  })
  const made = createServices(config, 'tendon_worker', database.url)
  const content = () => ({ subject: 'Your visit', body: [TEXT] })
  const visit = mailTemplate({ name: 'bench_visit', kind: 'care', en: content, ro: content })
  const services = { ...made, mailTemplates: new Map([[visit.name, visit]]) }
  const clinic = await newClinic(database, 'mail-bench')
  const bare = nodemailer.createTransport({ host: '127.0.0.1', port: smtp.port, ignoreTLS: true, pool: true })

  async function perSecond(send: () => Promise<unknown>): Promise<number> {
    const [start, before] = [performance.now(), smtp.mails.length]
    await send()
    if (smtp.mails.length - before !== MAILS) throw new Error('not every mail arrived')
    smtp.mails.length = 0
    return (MAILS / (performance.now() - start)) * 1_000
  }
  const byLoop = () =>
    perSecond(async () => {
      const round = createMailRound(services)
      while ((await round()).more);
    })
  const byNodemailer = () =>
    perSecond(() =>
      Promise.all(
        Array.from({ length: MAILS }, (_, at) =>
          bare.sendMail({
            from: 'Clinic <clinic@bench.example>',
            to: `patient-${at}@bench.example`,
            subject: 'Your visit',
            text: TEXT,
            html: `<p>${TEXT}</p>`,
          }),
        ),
      ),
    )

  const ratios: number[] = []
  const report = new Report()
  for (let round = 0; round <= ROUNDS; round += 1) {
    await database.query(
      `insert into mail_outbox (organization_id, to_address, template, kind, language, data)
       select $1, 'patient-' || n || '@bench.example', 'bench_visit', 'care', 'en', '{"n":1}' from generate_series(1, $2) n`,
      [clinic, MAILS],
    )
    const [loop, alone] = [await byLoop(), await byNodemailer()]
    // The first round warms up.
    if (round === 0) continue
    report.row('mails by the loop', loop)
    report.row('mails by nodemailer alone', alone)
    ratios.push(loop / alone)
  }
  ratios.sort((a, b) => a - b)
  report.ratio('mail loop ÷ nodemailer alone, median of three', ratios[1] ?? 0, AIM)
  report.print()
  bare.close()
  await made.close()
  await smtp.close()
  await database.drop()
}
