export const en = {
  notice: {
    title: 'Privacy notice',
    help: 'Patients read and accept this text when they first sign in. Fill in the details of your clinic; the rest comes from the platform.',
    published: 'Published as version {version}.',
    unpublished: 'Not published yet.',
    sections: 'Parts that apply to your clinic',
    preview: 'Preview',
    publish: 'Save and publish…',
    done: 'The privacy notice is published.',
    missing: 'Fill this in before publishing. A dash or dots are not enough.',
    confirm: {
      title: 'Publish this text?',
      first:
        'It becomes version 1. The clinic can then add patients, and each of them must accept it when they first open the portal.',
      again: 'It replaces version {version}, and patients must accept it before they can continue.',
      asked:
        '{count, plural, =0 {No patient has an account yet.} one {# patient has an account and will be asked to accept it when they next open the portal.} other {# patients have an account and will be asked to accept it when they next open the portal.}}',
      same: 'The text is the same as in version {version}. Patients would have to accept it again although nothing has changed.',
      text: '{language, select, ro {Text in Romanian} other {Text in English}}',
      action: 'Publish',
    },
  },
}
