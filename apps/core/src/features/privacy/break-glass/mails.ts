import { mailTemplate } from '@tendon/mail'

export const breakGlassOpened = mailTemplate<{
  break_glass_id: string
  organization_name: string
  opened_by: string | null
  expires_at: string
}>({
  name: 'break_glass_opened',
  kind: 'account',
  en: ({ organization_name, opened_by, expires_at }, { consoleUrl, formatTime }) => ({
    subject: `The platform operator opened access to ${organization_name}`,
    body: [
      'Hello,',
      'The platform operator has opened emergency access to data of your clinic. Every read is recorded in your audit log.',
      {
        rows: [
          ['Opened by', opened_by ?? 'The operator'],
          ['Ends', formatTime(expires_at)],
        ],
      },
      { label: 'Open the audit log', url: consoleUrl },
      'If you did not ask for this, please contact the platform operator.',
    ],
  }),
  ro: ({ organization_name, opened_by, expires_at }, { consoleUrl, formatTime }) => ({
    subject: `Operatorul platformei a deschis accesul la ${organization_name}`,
    body: [
      'Bună ziua,',
      'Operatorul platformei a deschis un acces de urgență la datele clinicii dumneavoastră. Fiecare citire este înregistrată în jurnalul de audit.',
      {
        rows: [
          ['Deschis de', opened_by ?? 'Operator'],
          ['Se încheie', formatTime(expires_at)],
        ],
      },
      { label: 'Deschideți jurnalul de audit', url: consoleUrl },
      'Dacă nu ați cerut acest lucru, vă rugăm să contactați operatorul platformei.',
    ],
  }),
})
