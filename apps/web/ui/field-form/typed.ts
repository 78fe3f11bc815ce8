type TextField = HTMLInputElement | HTMLTextAreaElement

const NOT_TYPED = ['checkbox', 'radio', 'file', 'range', 'color']
const isTextField = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !NOT_TYPED.includes(target.type))

/** The fields of this page into which somebody typed. */
let fields: readonly TextField[] = []

/** Watches the whole page, once. */
export function watchTyping(): void {
  const note = ({ target }: Event) => {
    if (isTextField(target)) fields = [...fields.filter((field) => field.isConnected && field !== target), target]
  }
  document.addEventListener('input', note, { capture: true })
}

/** Whether something that was typed is still on the page. Only then may a message say so. */
export const hasTyped = (): boolean => fields.some((field) => field.isConnected && field.value !== '')
