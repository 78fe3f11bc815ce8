/** Texts of the pages about the clinic: privacy notice, colleagues, specialists. */
export const clinicEn = {
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
  colleague: {
    title: 'Invite a colleague',
    email: 'E-mail',
    name: 'Name',
    role: 'Role',
    roleHelp: 'The role decides what this person may see and do.',
    roles: { admin: 'Admin', specialist: 'Specialist', customer_support: 'Front desk' },
    done: 'The invitation is on its way.',
    action: 'Invite',
  },
  specialist: {
    title: 'Add a specialist',
    name: 'Name',
    jobTitle: 'Title, such as “physiotherapist”',
    account: 'Account',
    accountHelp: 'The account of this specialist. You can choose it later.',
    noAccount: 'None yet',
    searchAccount: 'Search accounts by name or e-mail',
    accountsCut: 'Only {count} accounts are listed. Search for the others.',
    done: 'The specialist was added.',
    action: 'Add',
  },
}
