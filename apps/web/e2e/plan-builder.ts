import type { Page } from 'playwright-core'

export interface Dose {
  /** As the library shows it in English. */
  name: string
  sets: number
  reps: number
  rest: number
}

/** Writes a plan with one session in the console's plan builder, page `plans/new`, and gives it to the patient. */
export async function writePlan(page: Page, title: string, session: string, doses: readonly Dose[]): Promise<void> {
  await page.getByLabel('Sessions per week').selectOption('1')
  await page.getByRole('button', { name: 'Begin: From scratch' }).click()
  await page.locator('[name=title]').fill(title)
  await page.getByLabel('Name of the session').fill(session)
  await page.getByRole('button', { name: 'Add an exercise' }).click()
  const library = page.getByRole('dialog')
  for (const { name } of doses) {
    await library.getByRole('searchbox').fill(name)
    await library.getByRole('button', { name: `Add ${name}`, exact: true }).click()
  }
  await library.getByRole('button', { name: 'Done', exact: true }).click()
  for (const [place, { sets, reps, rest }] of doses.entries()) {
    const card = page.locator('main ol > li').nth(place)
    await card.getByLabel('Sets').fill(String(sets))
    await card.getByLabel('Repetitions').fill(String(reps))
    await card.getByLabel('Rest (s)').fill(String(rest))
  }
  // An exercise that should come after another one needs a reason.
  const reasons = page.getByLabel(/Reason for giving it/)
  const checked = page.getByText(
    /^(No contraindications for these exercises|Not checked: no condition recorded|\d+ exercises? (has|have) )/,
  )
  await checked.or(reasons.first()).first().waitFor()
  await page.getByText(/^Checking whether/).waitFor({ state: 'detached' })
  for (const reason of await reasons.all()) await reason.fill('Practised in the clinic.')
  await page.getByRole('button', { name: 'Save and give to the patient' }).click()
  await page.getByText('The patient has the plan now.').waitFor()
}
