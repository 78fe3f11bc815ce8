import type { Language } from '@tendon/access'

export type Words = Readonly<Record<Language, string>>

/** Sentences about appointments and their files. */
export const APPOINTMENT_SENTENCES: Readonly<Record<string, Words>> = {
  'appointments.create': { en: 'An appointment was booked for you.', ro: 'V-a fost făcută o programare.' },
  'appointments.read': {
    en: 'One of your appointments was opened.',
    ro: 'O programare a dumneavoastră a fost deschisă.',
  },
  'appointments.update': {
    en: 'One of your appointments was changed.',
    ro: 'O programare a dumneavoastră a fost modificată.',
  },
  'appointments.confirm': {
    en: 'One of your appointments was confirmed.',
    ro: 'O programare a dumneavoastră a fost confirmată.',
  },
  'appointments.check_in': {
    en: 'Your arrival for an appointment was recorded.',
    ro: 'A fost înregistrată sosirea dumneavoastră la o programare.',
  },
  'appointments.complete': {
    en: 'One of your appointments was marked as completed.',
    ro: 'O programare a dumneavoastră a fost marcată ca încheiată.',
  },
  'appointments.no_show': {
    en: 'One of your appointments was marked as missed.',
    ro: 'O programare a dumneavoastră a fost marcată ca neonorată.',
  },
  'appointments.cancel': {
    en: 'One of your appointments was cancelled.',
    ro: 'O programare a dumneavoastră a fost anulată.',
  },
  'appointments.revert': {
    en: 'The last change of the status of one of your appointments was undone.',
    ro: 'Ultima schimbare a stării unei programări a dumneavoastră a fost anulată.',
  },
  'appointments.reschedule': {
    en: 'One of your appointments was rescheduled.',
    ro: 'O programare a dumneavoastră a fost reprogramată.',
  },
  'appointments.link_patient': {
    en: 'A booking was linked to your record.',
    ro: 'O programare a fost legată de fișa dumneavoastră.',
  },
  'appointments.review': {
    en: 'One of your appointments was reviewed.',
    ro: 'O programare a dumneavoastră a fost evaluată.',
  },
  'appointments.delete': {
    en: 'One of your appointments was marked as entered in error.',
    ro: 'O programare a dumneavoastră a fost marcată ca introdusă din greșeală.',
  },
  'waitlist_offers.create': {
    en: 'A freed time was offered to you.',
    ro: 'V-a fost oferită o oră eliberată.',
  },
  'waitlist_offers.end': {
    en: 'The offer of a freed time was ended.',
    ro: 'Oferta unei ore eliberate a fost retrasă.',
  },
  'waitlist_offers.accept': {
    en: 'A freed time was accepted with the link in your e-mail.',
    ro: 'O oră eliberată a fost acceptată cu linkul din e-mailul dumneavoastră.',
  },
  'waitlist_offers.decline': {
    en: 'A freed time was declined with the link in your e-mail.',
    ro: 'O oră eliberată a fost refuzată cu linkul din e-mailul dumneavoastră.',
  },
  'appointment_files.upload': {
    en: 'A file was added to one of your appointments.',
    ro: 'A fost adăugat un fișier la una dintre programările dumneavoastră.',
  },
  'appointment_files.read': {
    en: 'A file of one of your appointments was opened.',
    ro: 'Un fișier al unei programări a dumneavoastră a fost deschis.',
  },
  'appointment_files.delete': {
    en: 'A file of one of your appointments was deleted.',
    ro: 'Un fișier al unei programări a dumneavoastră a fost șters.',
  },
}
