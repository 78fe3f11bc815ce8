import { mailTemplate } from '@tendon/mail'
import { consolePage } from '../../../platform/console-pages.ts'

/** Sent to the specialist and the clinic. Contains no patient's name: the console shows which visits lack a consent. */
export const telemedicineWithdrawn = mailTemplate<{ count: number }>({
  name: 'telemedicine_withdrawn',
  kind: 'account',
  en: ({ count }, context) => ({
    subject: 'A patient withdrew the consent to telemedicine',
    body: [
      'Hello,',
      `A patient withdrew the consent to telemedicine. Future video visits without it: ${count}.`,
      'No visit was cancelled. The patient cannot join a video meeting until the consent is given again: call the patient, or change the visit to “In the clinic” or “By phone”.',
      { label: 'Open the calendar', url: consolePage(context, 'visits') },
    ],
  }),
  ro: ({ count }, context) => ({
    subject: 'Un pacient și-a retras acordul pentru telemedicină',
    body: [
      'Bună ziua,',
      `Un pacient și-a retras acordul pentru telemedicină. Vizite video viitoare fără acest acord: ${count}.`,
      'Nicio vizită nu a fost anulată. Pacientul nu poate intra într-o întâlnire video până când își dă din nou acordul: sunați pacientul sau schimbați vizita în „La clinică” ori „La telefon”.',
      { label: 'Deschideți calendarul', url: consolePage(context, 'visits') },
    ],
  }),
})
