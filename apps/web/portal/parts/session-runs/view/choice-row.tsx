import { useId } from 'react'
import classes from './choice-row.module.css'

interface ChoiceRowProps<Value extends string | number> {
  label: string
  choices: readonly { value: Value; label: string }[]
  chosen: Value | null
  onChoose: (value: Value) => void
  /** Labels of the first and the last choice. */
  ends?: readonly [string, string]
  columns: number
}

/** A choice as a row of large buttons; radio buttons for keyboards and screen readers. */
export function ChoiceRow<Value extends string | number>(props: ChoiceRowProps<Value>) {
  const { label, choices, chosen, onChoose, ends, columns } = props
  const name = useId()
  return (
    <fieldset className={classes.row} data-columns={columns}>
      <legend>{label}</legend>
      <div className={classes.choices}>
        {choices.map(({ value, label: text }) => (
          <label key={value} className={classes.choice}>
            <input type="radio" name={name} value={value} checked={chosen === value} onChange={() => onChoose(value)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
      {ends && (
        <div className={classes.ends} aria-hidden="true">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </div>
      )}
    </fieldset>
  )
}
