export const en = {
  nav: { today: 'Today', visits: 'Appointments', forms: 'Forms', progress: 'Progress', me: 'Me' },
  public: { privacy: 'Privacy notice', signIn: 'Sign in to your portal', call: 'Call {phone}' },
  entry: {
    text: 'Your exercises, forms and appointments.',
    book: 'Book without an account',
    unknown: 'Clinic not found',
    unknownText: 'No clinic has this URL. Check the link that your clinic gave you.',
    toStart: 'Go to the start',
    notAPatient: 'No record here yet',
    notAPatientText:
      'You are signed in as {email}. This clinic has no patient record with this e-mail address. Ask the clinic to add it, or sign in with another one.',
    unverified:
      'You are signed in as {email}, but this e-mail address is not verified yet. Open the e-mail that you got when you created the account, follow its link, then sign in again.',
    toOwn: 'Go to {clinic}',
    other: 'Sign in with another account',
  },
}
