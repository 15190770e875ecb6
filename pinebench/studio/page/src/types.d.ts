declare module '*.css';
declare module 'monaco-editor/editor/contrib/suggest/browser/suggestController';
