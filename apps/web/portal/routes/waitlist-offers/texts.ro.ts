import type { en } from './texts.en.ts'

export const ro: typeof en = {
  offer: {
    title: 'S-a eliberat o oră',
    gone: 'Acest link nu funcționează',
    goneText: 'Deschideți din nou linkul din e-mail sau copiați linkul întreg în browser.',
    intro: 'Sunteți pe lista de așteptare. Păstrăm această oră pentru dumneavoastră cât timp vă hotărâți.',
    until: 'Vă rugăm să răspundeți până {time}.',
    accept: 'Acceptați această oră',
    decline: 'Nu, mulțumesc',
    declineTitle: 'Refuzați această oră?',
    declineText: 'Ora devine liberă pentru alte persoane. Dumneavoastră rămâneți pe lista de așteptare.',
    back: 'Înapoi',
    call: 'Sunați la {phone}',
    outcome: {
      accepted: 'Ați acceptat această oră',
      declined: 'Ați refuzat această oră',
      expired: 'Ora nu mai este păstrată pentru dumneavoastră',
      ended: 'Clinica a retras oferta',
      skipped: 'Clinica a retras oferta',
    },
    outcomeText: {
      accepted: 'Confirmarea vine prin e-mail. Dacă programarea se schimbă ulterior, este valabil cel mai nou e-mail.',
      declined: 'Rămâneți pe lista de așteptare.',
      expired: 'Timpul de răspuns a trecut. Rămâneți pe lista de așteptare.',
      ended: 'Sunați la clinică dacă aveți întrebări.',
      skipped: 'Sunați la clinică dacă aveți întrebări.',
    },
  },
}
