import type { en } from './texts.en.ts'

export const ro: typeof en = {
  nav: { today: 'Azi', visits: 'Programări', forms: 'Formulare', progress: 'Progres', me: 'Eu' },
  public: {
    privacy: 'Nota de informare',
    signIn: 'Intrați în portalul dumneavoastră',
    call: 'Sunați la {phone}',
  },
  entry: {
    text: 'Exercițiile, formularele și programările dumneavoastră.',
    book: 'Programare fără cont',
    unknown: 'Clinica nu a fost găsită',
    unknownText: 'Nicio clinică nu are acest URL. Verificați linkul primit de la clinică.',
    toStart: 'Mergeți la început',
    notAPatient: 'Încă nu aveți o fișă aici',
    notAPatientText:
      'Sunteți în cont ca {email}. Clinica nu are o fișă de pacient cu această adresă de e-mail. Cereți clinicii să o adauge sau intrați cu altă adresă.',
    unverified:
      'Sunteți în cont ca {email}, dar adresa de e-mail nu este încă verificată. Deschideți mesajul primit la crearea contului, urmați linkul, apoi intrați din nou în cont.',
    toOwn: 'Mergeți la {clinic}',
    other: 'Intrați cu alt cont',
  },
}
