import { mailTemplate, signInUrl } from '@tendon/mail'
import { nameOr } from '../../../platform/names.ts'

export const memberInvited = mailTemplate<{
  organization_name: string
  role_name: string
  inviter_name: string | null
}>({
  name: 'member_invited',
  kind: 'account',
  en: ({ organization_name, role_name, inviter_name }, { consoleUrl, toAddress }) => ({
    subject: `You are invited to ${organization_name}`,
    body: [
      'Hello,',
      `${nameOr(inviter_name, 'An administrator')} invites you to work with ${organization_name} on Tendon, with the role ${role_name}.`,
      'Sign in with this e-mail address to accept. If you have no account yet, you can create one there.',
      { label: 'Sign in', url: signInUrl(consoleUrl, toAddress, 'en') },
      'If you do not expect this invitation, you can ignore it.',
    ],
  }),
  ro: ({ organization_name, role_name, inviter_name }, { consoleUrl, toAddress }) => ({
    subject: `Sunteți invitat(ă) la ${organization_name}`,
    body: [
      'Bună ziua,',
      `${nameOr(inviter_name, 'Un administrator')} vă invită să lucrați cu ${organization_name} în Tendon, cu rolul ${role_name}.`,
      'Autentificați-vă cu această adresă de e-mail pentru a accepta. Dacă nu aveți încă un cont, îl puteți crea acolo.',
      { label: 'Autentificare', url: signInUrl(consoleUrl, toAddress, 'ro') },
      'Dacă nu așteptați această invitație, o puteți ignora.',
    ],
  }),
})
