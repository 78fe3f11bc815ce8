import { mailTemplate } from './template.ts'

export const greeting = mailTemplate<{ name: string; at: string }>({
  name: 'greeting',
  kind: 'account',
  en: ({ name, at }, { portalUrl, formatTime }) => ({
    subject: `Hello ${name}`,
    body: [`Welcome, ${name}.`, { rows: [['When', formatTime(at)]] }, { label: 'Sign in', url: portalUrl }],
    calendar: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nX:Ș\r\n' },
    attachments: [{ filename: 'visit.ics', contentType: 'text/calendar; method=REQUEST', content: 'BEGIN:VCALENDAR' }],
  }),
  ro: ({ name, at }, { portalUrl, formatTime }) => ({
    subject: `Bună ${name}`,
    body: [`Bun venit, ${name}.`, { rows: [['Când', formatTime(at)]] }, { label: 'Autentificare', url: portalUrl }],
  }),
})

export const options = {
  language: 'en' as const,
  timeZone: 'Europe/Bucharest',
  context: {
    organizationName: 'Mlădița',
    toAddress: 'ana@mail.example',
    fromAddress: 'clinic@mladita.example',
    sentAt: new Date('2026-03-01T10:00:00Z'),
    consoleUrl: 'https://app.example/console/',
    portalUrl: 'https://app.example/portal/?a=1&b=2',
    publicUrl: 'https://app.example',
  },
}

export const envelope = {
  id: '0190a1b2-0000-7000-8000-000000000001',
  from: { name: 'Mlădița', address: 'clinic@mladita.example' },
  to: 'ana@mail.example',
  replyTo: 'front@mladita.example',
  date: new Date('2026-03-01T10:00:00Z'),
}
