import { mailTemplate } from '@tendon/mail'
import { consolePage } from '../../../platform/console-pages.ts'
import { nameOr } from '../../../platform/names.ts'

export const breakGlassOpened = mailTemplate<{
  break_glass_id: string
  organization_name: string
  opened_by: string | null
  expires_at: string
}>({
  name: 'break_glass_opened',
  kind: 'account',
  en: ({ organization_name, opened_by, expires_at }, context) => ({
    subject: `The platform operator opened access to ${organization_name}`,
    body: [
      'Hello,',
      'The platform operator has opened emergency access to data of your clinic. Every read is recorded in your audit log.',
      {
        rows: [
          ['Opened by', nameOr(opened_by, 'The operator')],
          ['Ends', context.formatTime(expires_at)],
        ],
      },
      { label: 'Open the audit log', url: consolePage(context, 'auditLog') },
      'If you did not ask for this, please contact the platform operator.',
    ],
  }),
  ro: ({ organization_name, opened_by, expires_at }, context) => ({
    subject: `Operatorul platformei a deschis accesul la ${organization_name}`,
    body: [
      'Bună ziua,',
      'Operatorul platformei a deschis un acces de urgență la datele clinicii dumneavoastră. Fiecare citire este înregistrată în jurnalul de audit.',
      {
        rows: [
          ['Deschis de', nameOr(opened_by, 'Operator')],
          ['Se încheie', context.formatTime(expires_at)],
        ],
      },
      { label: 'Deschideți jurnalul de audit', url: consolePage(context, 'auditLog') },
      'Dacă nu ați cerut acest lucru, vă rugăm să contactați operatorul platformei.',
    ],
  }),
})
