import { mailTemplate } from '@tendon/mail'
import { consolePage } from '../../../platform/console-pages.ts'

interface DomainRecord extends Record<string, unknown> {
  domain: string
  record_name: string
  record_value: string
}

export const domainRecordMissing = mailTemplate<DomainRecord & { stops_at: string }>({
  name: 'domain_record_missing',
  kind: 'account',
  en: ({ domain, record_name, record_value, stops_at }, context) => ({
    subject: `The DNS record of ${domain} is missing`,
    body: [
      'Hello,',
      `The TXT record that shows that ${domain} belongs to your clinic was not found. Publish it again, or your clinic can no longer be reached by this domain.`,
      {
        rows: [
          ['Name', record_name],
          ['Value', record_value],
          ['The domain stops working', context.formatTime(stops_at)],
        ],
      },
      { label: 'Open the domains', url: consolePage(context, 'domains') },
    ],
  }),
  ro: ({ domain, record_name, record_value, stops_at }, context) => ({
    subject: `Înregistrarea DNS a domeniului ${domain} lipsește`,
    body: [
      'Bună ziua,',
      `Înregistrarea TXT care arată că ${domain} aparține clinicii dumneavoastră nu a fost găsită. Publicați-o din nou, altfel clinica nu va mai putea fi accesată prin acest domeniu.`,
      {
        rows: [
          ['Nume', record_name],
          ['Valoare', record_value],
          ['Domeniul nu va mai funcționa din', context.formatTime(stops_at)],
        ],
      },
      { label: 'Deschideți domeniile', url: consolePage(context, 'domains') },
    ],
  }),
})

export const domainStopped = mailTemplate<DomainRecord>({
  name: 'domain_stopped',
  kind: 'account',
  en: ({ domain, record_name, record_value }, context) => ({
    subject: `${domain} no longer leads to your clinic`,
    body: [
      'Hello,',
      `The TXT record of ${domain} was missing for seven days, so the domain is no longer verified. Publish the record again and verify the domain.`,
      {
        rows: [
          ['Name', record_name],
          ['Value', record_value],
        ],
      },
      { label: 'Open the domains', url: consolePage(context, 'domains') },
    ],
  }),
  ro: ({ domain, record_name, record_value }, context) => ({
    subject: `${domain} nu mai duce la clinica dumneavoastră`,
    body: [
      'Bună ziua,',
      `Înregistrarea TXT a domeniului ${domain} a lipsit șapte zile, așa că domeniul nu mai este verificat. Publicați înregistrarea din nou și verificați domeniul.`,
      {
        rows: [
          ['Nume', record_name],
          ['Valoare', record_value],
        ],
      },
      { label: 'Deschideți domeniile', url: consolePage(context, 'domains') },
    ],
  }),
})
