/** Texts of the link in the mail of a waitlist offer. */
export const offerRo = {
  offer: {
    title: 'S-a eliberat o oră',
    gone: 'Acest link nu funcționează',
    goneText: 'Deschideți din nou linkul din e-mail sau copiați linkul întreg în browser.',
    intro: 'Sunteți pe lista de așteptare. Păstrăm această oră pentru dumneavoastră cât timp vă hotărâți.',
    until: 'Vă rugăm să răspundeți până {time}.',
    accept: 'Rezervați această oră',
    decline: 'Nu, mulțumesc',
    declineTitle: 'Refuzați această oră?',
    declineText: 'Întrebăm apoi următoarea persoană. Dumneavoastră rămâneți pe lista de așteptare.',
    back: 'Înapoi',
    call: 'Sunați la {phone}',
    outcome: {
      accepted: 'Vizita este programată',
      declined: 'Ați refuzat această oră',
      expired: 'Ora nu mai este păstrată pentru dumneavoastră',
      ended: 'Clinica a retras oferta',
      skipped: 'Clinica a retras oferta',
    },
    outcomeText: {
      accepted: 'Confirmarea vă va ajunge prin e-mail.',
      declined: 'Rămâneți pe lista de așteptare. Vă scriem când se eliberează altă oră.',
      expired: 'Timpul de răspuns a trecut. Rămâneți pe lista de așteptare.',
      ended: 'Sunați la clinică dacă aveți întrebări.',
      skipped: 'Sunați la clinică dacă aveți întrebări.',
    },
  },
}
