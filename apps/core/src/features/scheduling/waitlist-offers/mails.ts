import { mailTemplate } from '@tendon/mail'

type OfferMailData = { starts_at: string; expires_at: string; url: string }

/** Names neither the service nor the specialist: others may read the mail. */
export const waitlistOffered = mailTemplate<OfferMailData>({
  name: 'waitlist_offered',
  kind: 'care',
  en: ({ starts_at, expires_at, url }, { organizationName, formatTime }) => ({
    subject: `A time has become free at ${organizationName ?? ''}`,
    body: [
      'Hello,',
      `You are on the waiting list of ${organizationName ?? ''}. A time has become free. Please answer by the deadline below; we keep the time for you until then.`,
      {
        rows: [
          ['When', formatTime(starts_at)],
          ['Answer by', formatTime(expires_at)],
        ],
      },
      { label: 'See the time and answer', url },
      'If you do not answer by then, we no longer keep the time for you. You stay on the waiting list.',
    ],
  }),
  ro: ({ starts_at, expires_at, url }, { organizationName, formatTime }) => ({
    subject: `S-a eliberat o oră la ${organizationName ?? ''}`,
    body: [
      'Bună ziua,',
      `Sunteți pe lista de așteptare la ${organizationName ?? ''}. S-a eliberat o oră. Vă rugăm să răspundeți până la termenul de mai jos; până atunci o păstrăm pentru dumneavoastră.`,
      {
        rows: [
          ['Când', formatTime(starts_at)],
          ['Termen de răspuns', formatTime(expires_at)],
        ],
      },
      { label: 'Vedeți ora și răspundeți', url },
      'Dacă nu răspundeți până atunci, nu mai păstrăm ora. Rămâneți pe lista de așteptare.',
    ],
  }),
})
