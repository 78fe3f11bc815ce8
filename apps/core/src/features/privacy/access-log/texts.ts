import type { Language } from '@tendon/access'
import { APPOINTMENT_SENTENCES, type Words } from './appointment-texts.ts'

/** Action of the audit log → sentence for the patient. The actor is a separate field. */
export const SENTENCES: Readonly<Record<string, Words>> = {
  'patients.create': { en: 'Your record was created.', ro: 'Fișa dumneavoastră a fost creată.' },
  'patients.read': { en: 'Your record was opened.', ro: 'Fișa dumneavoastră a fost deschisă.' },
  'patients.read_timeline': {
    en: 'The timeline of your record was viewed.',
    ro: 'Cronologia fișei dumneavoastră a fost consultată.',
  },
  'patients.update': { en: 'Your record was changed.', ro: 'Fișa dumneavoastră a fost modificată.' },
  'patients.delete': { en: 'Your record was deleted.', ro: 'Fișa dumneavoastră a fost ștearsă.' },
  'patients.restore': { en: 'Your deleted record was restored.', ro: 'Fișa dumneavoastră ștearsă a fost restaurată.' },
  'patients.merge': {
    en: 'Your record was linked with another record of yours.',
    ro: 'Fișa dumneavoastră a fost legată de o altă fișă a dumneavoastră.',
  },
  'patients.unmerge': {
    en: 'Your record was unlinked from another record.',
    ro: 'Legătura fișei dumneavoastră cu o altă fișă a fost desfăcută.',
  },
  'patients.invite': {
    en: 'An invitation to the portal was sent to you.',
    ro: 'V-a fost trimisă o invitație în portal.',
  },
  'patients.read_national_id': {
    en: 'Your national identification number was viewed.',
    ro: 'Codul dumneavoastră numeric personal a fost consultat.',
  },
  'patients.update_national_id': {
    en: 'Your national identification number was changed.',
    ro: 'Codul dumneavoastră numeric personal a fost modificat.',
  },
  'patients.read_profile': { en: 'Your profile was opened.', ro: 'Profilul dumneavoastră a fost deschis.' },
  'patients.update_profile': { en: 'Your profile was changed.', ro: 'Profilul dumneavoastră a fost modificat.' },
  'patients.prefill': {
    en: 'Answers from your profile were read to fill in a form.',
    ro: 'Răspunsuri din profilul dumneavoastră au fost citite pentru a completa un formular.',
  },
  'patient_conditions.read': {
    en: 'Your conditions were viewed.',
    ro: 'Afecțiunile dumneavoastră au fost consultate.',
  },
  'patient_conditions.create': {
    en: 'A condition was added to your record.',
    ro: 'O afecțiune a fost adăugată în fișa dumneavoastră.',
  },
  'patient_conditions.update': {
    en: 'A condition in your record was changed.',
    ro: 'O afecțiune din fișa dumneavoastră a fost modificată.',
  },
  'patient_conditions.delete': {
    en: 'A condition was removed from your record.',
    ro: 'O afecțiune a fost scoasă din fișa dumneavoastră.',
  },
  'treatment_plans.list': {
    en: 'The list of your treatment plans was viewed.',
    ro: 'Lista planurilor dumneavoastră de tratament a fost consultată.',
  },
  'treatment_plans.read': {
    en: 'A treatment plan of yours was opened.',
    ro: 'Un plan de tratament al dumneavoastră a fost deschis.',
  },
  'treatment_plans.create': {
    en: 'A treatment plan was created for you.',
    ro: 'A fost întocmit un plan de tratament pentru dumneavoastră.',
  },
  'treatment_plans.update': {
    en: 'A treatment plan of yours was changed.',
    ro: 'Un plan de tratament al dumneavoastră a fost modificat.',
  },
  'treatment_plans.activate': {
    en: 'A treatment plan was given to you.',
    ro: 'V-a fost dat un plan de tratament.',
  },
  'treatment_plans.complete': {
    en: 'A treatment plan of yours was completed.',
    ro: 'Un plan de tratament al dumneavoastră a fost încheiat.',
  },
  'treatment_plans.archive': {
    en: 'A treatment plan of yours was archived.',
    ro: 'Un plan de tratament al dumneavoastră a fost arhivat.',
  },
  'treatment_plans.delete': {
    en: 'The draft of a treatment plan for you was deleted.',
    ro: 'Ciorna unui plan de tratament pentru dumneavoastră a fost ștearsă.',
  },
  'treatment_plans.override': {
    en: 'A reason was recorded for an exercise that needs one because of your health.',
    ro: 'A fost consemnat motivul pentru un exercițiu care cere o justificare din cauza stării dumneavoastră de sănătate.',
  },
  'treatment_plans.check_safety': {
    en: 'Exercises were checked against your conditions.',
    ro: 'Exerciții au fost comparate cu afecțiunile dumneavoastră.',
  },
  'patients.impersonate': {
    en: 'Somebody was allowed to see the portal as you see it, for a short time and without changing anything.',
    ro: 'Cuiva i s-a permis să vadă portalul așa cum îl vedeți dumneavoastră, pentru scurt timp și fără a modifica nimic.',
  },
  'impersonation.read': {
    en: 'The portal was viewed as you see it.',
    ro: 'Portalul a fost consultat așa cum îl vedeți dumneavoastră.',
  },
  'patients.leave': {
    en: 'You left the clinic, and your consents there ended.',
    ro: 'Clinica a fost părăsită, iar acordurile date acolo au încetat.',
  },
  'patients.erase_account': { en: 'The account was erased.', ro: 'Contul a fost șters.' },
  'me.update': {
    en: 'The name or the language of your account was changed.',
    ro: 'Numele sau limba contului dumneavoastră a fost modificată.',
  },
  'me.switch_organization': {
    en: 'You switched to another clinic.',
    ro: 'Clinica pe care o consultați a fost schimbată.',
  },
  'me.leave_membership': {
    en: 'You left the staff of this clinic, or declined its invitation.',
    ro: 'Ați încetat activitatea la această clinică sau ați refuzat invitația ei.',
  },
  'me.sign_in': { en: 'You signed in.', ro: 'Ați intrat în cont.' },
  'me.end_session': {
    en: 'One of your sessions was signed out.',
    ro: 'Una dintre sesiunile dumneavoastră a fost închisă.',
  },
  'me.end_sessions': { en: 'All your sessions were signed out.', ro: 'Toate sesiunile dumneavoastră au fost închise.' },
  'me.save_views': { en: 'You saved views of a list.', ro: 'Ați salvat vizualizări ale unei liste.' },
  'me.erase': { en: 'The account was erased.', ro: 'Contul a fost șters.' },
  'attention.mark': {
    en: 'Something about you that needs the attention of the clinic was marked, for example as done.',
    ro: 'O situație despre dumneavoastră care cere atenția clinicii a fost marcată, de exemplu ca rezolvată.',
  },
  'consents.read': { en: 'Your consents were viewed.', ro: 'Acordurile dumneavoastră au fost consultate.' },
  'consents.grant': {
    en: 'A consent of yours was recorded.',
    ro: 'Un acord al dumneavoastră a fost înregistrat.',
  },
  'consents.withdraw': { en: 'A consent of yours was withdrawn.', ro: 'Un acord al dumneavoastră a fost retras.' },
  'segments.read_patient': {
    en: 'The clinic viewed which of its patient lists you are in.',
    ro: 'S-a consultat în ce liste de lucru ale clinicii vă aflați.',
  },
  'segments.explain': {
    en: 'The clinic viewed why you are or are not in one of its patient lists.',
    ro: 'S-a consultat de ce vă aflați sau nu într-o listă de lucru a clinicii.',
  },
  'segments.evaluate_patient': {
    en: 'The clinic updated the patient lists you are in.',
    ro: 'Listele de lucru ale clinicii în care vă aflați au fost actualizate.',
  },
  'forms.create': {
    en: 'A form about you was created.',
    ro: 'A fost creat un formular despre dumneavoastră.',
  },
  'forms.read': { en: 'A form about you was opened.', ro: 'Un formular despre dumneavoastră a fost deschis.' },
  'forms.update': { en: 'A form about you was filled in.', ro: 'Un formular despre dumneavoastră a fost completat.' },
  'forms.sign': { en: 'A form about you was signed.', ro: 'Un formular despre dumneavoastră a fost semnat.' },
  'forms.verify': {
    en: 'The signature of a form about you was checked.',
    ro: 'Semnătura unui formular despre dumneavoastră a fost verificată.',
  },
  'forms.delete': { en: 'A form about you was deleted.', ro: 'Un formular despre dumneavoastră a fost șters.' },
  'documents.create': {
    en: 'A document (PDF) about you was made.',
    ro: 'A fost întocmit un document (PDF) despre dumneavoastră.',
  },
  'documents.download': {
    en: 'A document (PDF) about you was downloaded.',
    ro: 'Un document (PDF) despre dumneavoastră a fost descărcat.',
  },
  ...APPOINTMENT_SENTENCES,
  'gdpr.export': {
    en: 'A copy of all your data was requested.',
    ro: 'A fost cerută o copie a tuturor datelor dumneavoastră.',
  },
  'gdpr.export_completed': {
    en: 'The copy of all your data was created.',
    ro: 'Copia tuturor datelor dumneavoastră a fost realizată.',
  },
  'gdpr.download_link': {
    en: 'The copy of all your data was downloaded.',
    ro: 'Copia tuturor datelor dumneavoastră a fost preluată.',
  },
  'gdpr.cancel_export': {
    en: 'The copy of all your data was cancelled.',
    ro: 'Copia tuturor datelor dumneavoastră a fost anulată.',
  },
  'gdpr.erase': { en: 'The erasure of your data was requested.', ro: 'A fost cerută ștergerea datelor dumneavoastră.' },
  'gdpr.erase_completed': { en: 'Your data was erased.', ro: 'Datele dumneavoastră au fost șterse.' },
  'gdpr.cancel_erase': {
    en: 'The erasure of your data was cancelled.',
    ro: 'Ștergerea datelor dumneavoastră a fost anulată.',
  },
  'gdpr.restrict': {
    en: 'The use of your data was restricted.',
    ro: 'Prelucrarea datelor dumneavoastră a fost restricționată.',
  },
  'gdpr.lift_restriction': {
    en: 'The restriction on the use of your data was lifted.',
    ro: 'Restricția asupra prelucrării datelor dumneavoastră a fost ridicată.',
  },
  'form_files.upload': {
    en: 'A file was added to a form about you.',
    ro: 'Un fișier a fost adăugat într-un formular despre dumneavoastră.',
  },
  'form_files.read': {
    en: 'A file in a form about you was opened.',
    ro: 'Un fișier dintr-un formular despre dumneavoastră a fost deschis.',
  },
  'form_files.delete': {
    en: 'A file in a form about you was deleted.',
    ro: 'Un fișier dintr-un formular despre dumneavoastră a fost șters.',
  },
  'session_runs.start': { en: 'You started an exercise session.', ro: 'Ați început o ședință de exerciții.' },
  'session_runs.record_event': {
    en: 'What you did in an exercise session was recorded.',
    ro: 'S-a notat ce ați făcut într-o ședință de exerciții.',
  },
  'session_runs.report_pain': {
    en: 'Pain in an exercise session was reported.',
    ro: 'A fost raportată o durere într-o ședință de exerciții.',
  },
  'session_runs.give_feedback': {
    en: 'Your feedback on an exercise session was recorded.',
    ro: 'S-a notat cum a decurs pentru dumneavoastră o ședință de exerciții.',
  },
  'session_runs.end': { en: 'An exercise session was ended.', ro: 'O ședință de exerciții a fost încheiată.' },
  'session_runs.list': {
    en: 'The list of your exercise sessions was viewed.',
    ro: 'Lista ședințelor dumneavoastră de exerciții a fost consultată.',
  },
  'session_runs.read': {
    en: 'One of your exercise sessions was viewed.',
    ro: 'Una dintre ședințele dumneavoastră de exerciții a fost consultată.',
  },
  'session_runs.read_replay': {
    en: 'The recorded movements of one of your exercise sessions were opened.',
    ro: 'Mișcările înregistrate dintr-o ședință de exerciții a dumneavoastră au fost deschise.',
  },
  'break_glass.open': {
    en: 'An operator of the platform was given read access to your record for a short time.',
    ro: 'Un operator al platformei și-a deschis accesul la fișa dumneavoastră, pentru scurt timp și doar pentru citire.',
  },
  'break_glass.end': {
    en: 'The access of an operator of the platform to your record was ended early.',
    ro: 'Accesul unui operator al platformei la fișa dumneavoastră a fost încheiat înainte de termen.',
  },
  'break_glass.read': {
    en: 'An operator of the platform opened your record.',
    ro: 'Un operator al platformei a deschis fișa dumneavoastră.',
  },
}

/** For actions without a sentence of their own. */
const GENERIC: Readonly<Record<string, Words>> = {
  C: { en: 'Something was added to your record.', ro: 'Ceva a fost adăugat în fișa dumneavoastră.' },
  R: { en: 'Something in your record was viewed.', ro: 'Ceva din fișa dumneavoastră a fost consultat.' },
  U: { en: 'Something in your record was changed.', ro: 'Ceva din fișa dumneavoastră a fost modificat.' },
  D: { en: 'Something in your record was deleted.', ro: 'Ceva din fișa dumneavoastră a fost șters.' },
}
const OTHER: Words = { en: 'Something was done with your record.', ro: 'Fișa dumneavoastră a fost folosită.' }

export const sentenceOf = (action: string, crud: string, language: Language): string =>
  ((Object.hasOwn(SENTENCES, action) ? SENTENCES[action] : GENERIC[crud]) ?? OTHER)[language]
