import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

// Mantine's own greens miss 4.5:1 in its `light` variant; shades 7 to 9 are darker here, so that menus, badges, avatars and
// the calendar pass AA in both colour schemes.
export const tendon: MantineColorsTuple = [
  '#e7f8f3',
  '#d3ede5',
  '#a8dbcb',
  '#79c8af',
  '#53b898',
  '#3aae88',
  '#2ca87f',
  '#0b7a61',
  '#096a54',
  '#075543',
]

export const theme = createTheme({
  primaryColor: 'tendon',
  colors: { tendon },
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  luminanceThreshold: 0.25,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.625rem' }, h2: { fontSize: '1.25rem' } } },
  // Written out, not with `Checkbox.extend`: that would load each component with the frame.
  components: {
    Checkbox: { defaultProps: { size: 'md' } },
    Radio: { defaultProps: { size: 'md' } },
    Switch: { defaultProps: { size: 'md' } },
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 'lg' } },
    // Never cut: a state that cannot be read is none.
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 600, miw: 'max-content' } },
    Loader: { defaultProps: { type: 'dots' } },
  },
})

/** The background of selected items in the dark scheme. */
export const CHOSEN_DARK = '#12352c'

export const cssVariables: CSSVariablesResolver = ({ other }) => ({
  variables: {},
  light: {
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-anchor': 'var(--mantine-color-tendon-8)',
    '--tendon-ground': '#f6f8f7',
    '--tendon-line': 'var(--mantine-color-gray-3)',
    '--tendon-chosen': 'var(--mantine-color-tendon-0)',
    '--tendon-chosen-text': 'var(--mantine-color-tendon-9)',
  },
  dark: {
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    // Mantine's own is darker than the dimmed text, which must pass AA.
    '--mantine-color-text': 'var(--mantine-color-gray-2)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-5)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-4)',
    '--mantine-color-anchor': 'var(--mantine-color-tendon-3)',
    '--tendon-ground': '#16191a',
    '--tendon-line': 'var(--mantine-color-dark-4)',
    '--tendon-chosen': String(other.chosenDark ?? CHOSEN_DARK),
    '--tendon-chosen-text': 'var(--mantine-color-tendon-1)',
  },
})
