/** Every zone that the browser knows, for a select. */
export const TIME_ZONES: string[] = Intl.supportedValuesOf('timeZone')
