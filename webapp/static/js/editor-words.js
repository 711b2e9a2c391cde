// Completes names of the starter kit's library: behind a dot the members of the class that the word
// before it is called after, or else all members.
"use strict";

{
  const words = (document.getElementById("words").dataset.words.match(/\S+/g) ?? []).map((pair) => {
    const [value, meta] = pair.split(":");
    return { caption: value, value, meta };
  });

  function before(session, { row, column }, prefix = "") {
    return session.getLine(row).slice(0, column - prefix.length);
  }

  function fitting(text) {
    if (!text.endsWith(".")) return words;
    const members = words.filter(({ meta }) => meta !== "class");
    const owner = text.match(/(\w+)\.$/)?.[1].toLowerCase();
    const own = members.filter(({ meta }) => `_${owner}`.endsWith(`_${meta.toLowerCase()}`));
    return own.length ? own : members;
  }

  window.completer = {
    getCompletions(_, session, at, prefix, done) { done(null, fitting(before(session, at, prefix))); },
  };

  // Not while a word is typed: Enter would then take a name that nobody asked for.
  window.completeAfterDots = (editor) => {
    editor.commands.on("afterExec", ({ command, args }) => {
      const text = before(editor.session, editor.getCursorPosition());
      const isMember = command.name === "insertstring" && args === "." && /[A-Za-z_)\]]\w*\.$/.test(text);
      if (isMember && words.length) editor.execCommand("startAutocomplete");
    });
  };
}
