import { mailTemplate, signInUrl } from '@tendon/mail'

export const patientInvited = mailTemplate<{ organization_name: string; patient_id: string }>({
  name: 'patient_invited',
  kind: 'account',
  en: ({ organization_name }, { portalUrl, toAddress }) => ({
    subject: `${organization_name} invites you to its patient portal`,
    body: [
      'Hello,',
      `${organization_name} invites you to its patient portal. There you can see and manage what you share with the clinic.`,
      'Sign in with this e-mail address. If you have no account yet, you can create one there.',
      { label: 'Open the patient portal', url: signInUrl(portalUrl, toAddress, 'en') },
      'If you do not know this clinic, you can ignore this message.',
    ],
  }),
  ro: ({ organization_name }, { portalUrl, toAddress }) => ({
    subject: `${organization_name} vă invită în portalul pacienților`,
    body: [
      'Bună ziua,',
      `${organization_name} vă invită în portalul pacienților. Acolo puteți vedea și administra ceea ce împărtășiți cu clinica.`,
      'Autentificați-vă cu această adresă de e-mail. Dacă nu aveți încă un cont, îl puteți crea acolo.',
      { label: 'Deschideți portalul pacienților', url: signInUrl(portalUrl, toAddress, 'ro') },
      'Dacă nu cunoașteți această clinică, puteți ignora acest mesaj.',
    ],
  }),
})
