// Speaks cues in the person's language. Without a voice for that language it stays silent, because nobody understands
// Romanian text in an English voice.

export interface Voice {
  say(text: string): void
  setMuted(muted: boolean): void
  stop(): void
}

const MUTED = 'tendon-voice-muted'

export const isVoiceMuted = (): boolean => localStorage.getItem(MUTED) === 'yes'

export function createVoice(language: () => string): Voice {
  const speech = 'speechSynthesis' in globalThis ? speechSynthesis : undefined
  let muted = isVoiceMuted()
  const stop = () => speech?.cancel()
  return {
    say(text) {
      const voice = speech?.getVoices().find(({ lang }) => lang.toLowerCase().startsWith(language()))
      if (muted || !speech || !voice) return
      const words = new SpeechSynthesisUtterance(text)
      words.voice = voice
      words.lang = voice.lang
      speech.cancel()
      speech.speak(words)
    },
    setMuted(next) {
      muted = next
      if (next) localStorage.setItem(MUTED, 'yes')
      else localStorage.removeItem(MUTED)
      if (next) stop()
    },
    stop,
  }
}
