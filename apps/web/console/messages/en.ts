import { clinicEn } from './clinic-en.ts'
import { documentsEn } from './documents-en.ts'
import { plansEn } from './plans-en.ts'
import { recordEn } from './record-en.ts'
import { reviewEn } from './review-en.ts'
import { todayEn } from './today-en.ts'

export const consoleEn = {
  review: reviewEn,
  nav: { today: 'Today', patients: 'Patients', sessions: 'Sessions' },
  today: todayEn,
  clinic: clinicEn,
  record: recordEn,
  plans: plansEn,
  documents: documentsEn,
  runs: { any: 'All recordings', onlyIncomplete: 'Only incomplete', onlyComplete: 'Only complete' },
  patients: {
    title: 'Patients',
    search: 'Name, phone or e-mail',
    name: 'Name',
    phone: 'Phone',
    email: 'E-mail',
    birthDate: 'Born',
    status: 'Portal',
    statuses: { unclaimed: 'Not invited', invited: 'Invited', claimed: 'Uses the portal' },
    new: 'New patient',
    firstName: 'First name',
    lastName: 'Last name',
    invite: 'Invite to the portal by e-mail',
    created: 'The patient was added.',
    empty: 'No patient yet',
    emptyText: 'Add the first patient. With an e-mail address they can be invited to the portal.',
    record: 'Patient record',
    overview: 'Overview',
    sessions: 'Sessions',
    plans: 'Plans',
    details: 'Contact',
    notes: 'Notes',
    none: 'Not given',
    restricted: 'The processing of this patient’s data is restricted.',
    noSessions: 'No session yet',
    noSessionsText: 'Sessions that the patient does at home appear here.',
    noPlans: 'No treatment plan yet',
    noPlansText: 'A plan tells the patient what to exercise at home.',
    planStatus: { draft: 'Draft', active: 'Active', completed: 'Completed', archived: 'Archived' },
    planSessions: '{count, plural, one {# session} other {# sessions}}',
    planTitle: 'Plan',
    planState: 'State',
    lastActive: 'Last active',
  },
}
