import { mailTemplate } from '@tendon/mail'
import { consolePage } from '../../../platform/console-pages.ts'

export const webhookDisabled = mailTemplate<{ host: string; reason: 'gone' | 'failing' }>({
  name: 'webhook_disabled',
  kind: 'account',
  en: ({ host, reason }, context) => ({
    subject: `The webhook to ${host} was deactivated`,
    body: [
      'Hello,',
      reason === 'gone'
        ? `${host} answered that it is gone for good (410), so nothing more is sent to it.`
        : `Nothing could be delivered to ${host} for five days, so nothing more is sent to it.`,
      'When the receiver works again, activate the webhook. Events that it missed in the last 30 days can be sent again.',
      { label: 'Open the settings', url: consolePage(context, 'webhooks') },
    ],
  }),
  ro: ({ host, reason }, context) => ({
    subject: `Webhook-ul către ${host} a fost dezactivat`,
    body: [
      'Bună ziua,',
      reason === 'gone'
        ? `${host} a răspuns că nu mai există (410), așa că nu i se mai trimite nimic.`
        : `Timp de cinci zile nu s-a putut livra nimic către ${host}, așa că nu i se mai trimite nimic.`,
      'Când destinatarul funcționează din nou, activați webhook-ul. Evenimentele pierdute în ultimele 30 de zile pot fi trimise din nou.',
      { label: 'Deschideți setările', url: consolePage(context, 'webhooks') },
    ],
  }),
})
