export { geminiImages } from './gemini.js';
export type { ImageFormat, ImageModel, ImageQuestion, ImageRequest } from './model.js';
export { openAiImages } from './open-ai.js';
export { svgImages } from './svg.js';
export { imageTools } from './tools.js';
export type { ImageServiceOptions } from './web-service.js';
