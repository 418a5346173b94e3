export { type EdgeSpeechOptions, type EdgeTtsConnection, type EdgeTtsPackage, edgeSpeech } from './edge-speech.js';
export { type LocalSpeechOptions, localSpeech } from './local-speech.js';
export type { SoundFormat, Speech, SpeechRequest } from './speech.js';
export { type SpeechChainOptions, speechChain } from './speech-chain.js';
export { ttsTool } from './tool.js';
export {
  elevenLabsSpeech,
  miniMaxSpeech,
  type OpenAiSpeechOptions,
  openAiSpeech,
  type SpeechServiceOptions,
} from './web-speech.js';
