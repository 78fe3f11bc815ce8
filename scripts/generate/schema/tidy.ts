// The catalogue prints SQL in a spelling of its own; this brings it near to what the migrations say.

const QUOTED = /'(?:[^']|'')*'/

/** Lower-case keywords, no casts of plain texts, `(select f())` as it was written. */
export function tidy(sql: string): string {
  return sql
    .replace(new RegExp(`${QUOTED.source}|\\b[A-Z]{2,}\\b`, 'g'), (word) =>
      word.startsWith("'") ? word : word.toLowerCase(),
    )
    .replace(new RegExp(`(${QUOTED.source})::text`, 'g'), '$1')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(' public.', ' ')
    .replace(/\( select (\w+)(\([^()]*\)) as \1\)/g, '(select $1$2)')
    .replace(/\((\(select \w+\([^()]*\)\))\)/g, '$1')
}

/** A function's head; its body stays as it was written. */
export function tidyFunction(definition: string): string {
  const [head = '', ...body] = definition.split('AS $function$')
  if (body.length === 0) return tidy(definition)
  const text = body.join('AS $function$').replace(/\$function\$\s*$/, '$$$$')
  return `${tidy(head).replaceAll('\n ', '\n  ').trimEnd()}\n  as $$${text}`
}
