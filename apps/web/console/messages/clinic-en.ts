/** Texts of the pages about the clinic: privacy notice, colleagues, specialists. */
export const clinicEn = {
  notice: {
    title: 'Privacy notice',
    help: 'Patients read and accept this text when they first sign in. Fill in the details of your clinic; the rest comes from the platform.',
    published: 'Published as version {version}.',
    unpublished: 'Not published yet.',
    sections: 'Parts that apply to your clinic',
    preview: 'Preview',
    publish: 'Save and publish',
    done: 'The privacy notice is published.',
    missing: 'Fill this in before publishing.',
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
    done: 'The specialist was added.',
    action: 'Add',
  },
}
