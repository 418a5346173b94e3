export type { CanvasContent, CanvasEvent, CanvasPlace, CanvasServer, CanvasSnapshot } from './canvas.js';
export { type CanvasServerOptions, canvasServer } from './server.js';
export { canvasTool } from './tool.js';
