export { type EdgeSpeechOptions, type EdgeTtsConnection, type EdgeTtsPackage, edgeSpeech } from './edge-speech.js';
export { elevenLabsSpeech } from './eleven-labs-speech.js';
export { type LocalSpeechOptions, localSpeech } from './local-speech.js';
export { miniMaxSpeech } from './mini-max-speech.js';
export { type OpenAiSpeechOptions, openAiSpeech } from './open-ai-speech.js';
export type { SoundFormat, Speech, SpeechRequest, SpeechServiceOptions } from './speech.js';
export { type SpeechChainOptions, speechChain } from './speech-chain.js';
export { ttsTool } from './tts-tool.js';
