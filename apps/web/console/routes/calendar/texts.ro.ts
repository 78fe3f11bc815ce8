import type { en } from './texts.en.ts'

export const ro: typeof en = {
  calendar: {
    free: 'Ore libere',
    freeOff: 'Ascundeți orele libere',
    freeFor: 'Liber pentru: {service}',
    noFree: 'Nicio oră liberă',
    bookAt: 'Programați la {time}',
    moreFree: '+ {count, number}',
    patient: 'Pacient',
    searchPatient: 'Nume sau telefon',
    moreMatch: 'Se potrivesc mai mulți pacienți. Scrieți mai mult din nume.',
    nobody: 'Niciun pacient nu se potrivește. Adăugați-l mai întâi în lista de pacienți.',
    title: 'Calendar',
    today: 'Azi',
    earlier: 'Mai devreme',
    later: 'Mai târziu',
    everybody: 'Toți specialiștii',
    span: 'Perioada',
    week: 'Săptămâna',
    day: 'Ziua',
    noVisit: 'Nicio vizită',
    noSpecialist: 'Fără specialist',
    noRecord: 'Fără fișă',
    closed: 'Închis',
    off: 'Zi liberă',
  },
}
