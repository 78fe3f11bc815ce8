type TextField = HTMLInputElement | HTMLTextAreaElement

const NOT_TYPED = ['checkbox', 'radio', 'file', 'range', 'color']
const isTextField = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !NOT_TYPED.includes(target.type))

/** Marks the fields of the page into which somebody types. Called once. */
export function watchTyping(): void {
  const mark = ({ target }: Event) => {
    if (isTextField(target)) target.dataset.typed = ''
  }
  document.addEventListener('input', mark, { capture: true })
}

/** Whether something that was typed is still on the page. Only then may a message say so. */
export const hasTyped = (): boolean =>
  [...document.querySelectorAll('[data-typed]')].some((field) => isTextField(field) && field.value !== '')
