import { clinicRo } from './clinic-ro.ts'
import { documentsRo } from './documents-ro.ts'
import type { consoleEn } from './en.ts'
import { plansRo } from './plans-ro.ts'
import { recordRo } from './record-ro.ts'
import { reviewRo } from './review-ro.ts'
import { todayRo } from './today-ro.ts'

export const consoleRo: typeof consoleEn = {
  review: reviewRo,
  nav: { today: 'Azi', patients: 'Pacienți', sessions: 'Ședințe' },
  today: todayRo,
  clinic: clinicRo,
  record: recordRo,
  plans: plansRo,
  documents: documentsRo,
  runs: { any: 'Toate înregistrările', onlyIncomplete: 'Numai incomplete', onlyComplete: 'Numai complete' },
  patients: {
    title: 'Pacienți',
    search: 'Nume, telefon sau e-mail',
    name: 'Nume',
    phone: 'Telefon',
    email: 'E-mail',
    birthDate: 'Data nașterii',
    status: 'Portal',
    statuses: { unclaimed: 'Neinvitat', invited: 'Invitat', claimed: 'Folosește portalul' },
    new: 'Pacient nou',
    firstName: 'Prenume',
    lastName: 'Nume de familie',
    invite: 'Invită în portal prin e-mail',
    created: 'Pacientul a fost adăugat.',
    empty: 'Încă niciun pacient',
    emptyText: 'Adaugă primul pacient. Cu o adresă de e-mail poate fi invitat în portal.',
    record: 'Fișa pacientului',
    overview: 'Pe scurt',
    sessions: 'Ședințe',
    plans: 'Planuri',
    details: 'Contact',
    notes: 'Note',
    none: 'Nu este dat',
    restricted: 'Prelucrarea datelor acestui pacient este restricționată.',
    noSessions: 'Încă nicio ședință',
    noSessionsText: 'Ședințele pe care pacientul le face acasă apar aici.',
    noPlans: 'Încă niciun plan de tratament',
    noPlansText: 'Un plan îi spune pacientului ce exerciții să facă acasă.',
    planStatus: { draft: 'Ciornă', active: 'Activ', completed: 'Încheiat', archived: 'Arhivat' },
    planSessions: '{count, plural, one {# ședință} few {# ședințe} other {# de ședințe}}',
    planTitle: 'Plan',
    planState: 'Stare',
    lastActive: 'Activ ultima dată',
  },
}
