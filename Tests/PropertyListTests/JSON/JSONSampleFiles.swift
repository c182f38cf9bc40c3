/// Files as people have them: the settings of two editors with their comments, a manifest of a package, the options of a
/// compiler, and a large file that another program composes.
enum JSONSampleFile: CaseIterable {
    case editor, secondEditor, package, compiler, composed

    var text: String {
        switch self {
        case .editor: Self.editorText
        case .secondEditor: Self.secondEditorText
        case .package: Self.packageText
        case .compiler: Self.compilerText
        case .composed: Self.composedText
        }
    }

    /// Names with dots, four spaces, a comma behind the last member, and members that are switched off by a comment.
    private static let editorText = #"""
        // Settings of this user. They win over those of the program,
        // and a folder's own settings win over them.
        {
            // ---- How it looks ----

            "workbench.theme": "Quiet Night",
            "workbench.icons": "plain",
            // The bar at the side: left or right.
            "workbench.sideBar.place": "right",
            "workbench.startPage": "none", // no tips, no news
            "window.zoom": 0.5,
            "window.title": "${folder} — ${file}",
            // "window.menuBar": "hidden",

            // ---- The text ----

            "text.font": "'JetBrains Mono', 'DejaVu Sans Mono', monospace",
            "text.size": 14.0, // 13 on the notebook
            "text.lineHeight": 1.60,
            "text.ligatures": false,
            "text.rulers": [80, 110],
            "text.wrap": "off",
            "text.tabSize": 4,
            "text.insertSpaces": true,
            /* Marks for blanks are shown
               in what is selected only. */
            "text.showBlanks": "selection",
            "text.cursor": {"style": "line", "blinks": false, "width": 2},
            "text.minimap": false,
            "text.matchBrackets": "always",

            // ---- While typing ----

            "typing.suggest": {
                "delay": 250, // milliseconds
                "words": true,
                // Snippets come last.
                "snippets": "bottom",
            },
            "typing.closeQuotes": "beforeBlank",
            "typing.formatOnSave": true,
            "typing.formatOnPaste": false,
            "typing.trim": true, // blanks at the end of lines

            // ---- Files ----

            "files.encoding": "utf8",
            "files.lineEnd": "\n",
            "files.finalLine": true,
            "files.autoSave": "focus",
            // Not shown in the tree of files.
            "files.hidden": {
                "**/.git": true,
                "**/.build": true,
                "**/node_modules": true,
                "**/*.o": true, // objects
                "**/.DS_Store": true
            },
            "files.types": {
                "*.plist": "xml",
                "Dockerfile.*": "dockerfile",
                "*.json": "jsonc" // most have comments
            },

            // ---- Languages ----

            "[swift]": {
                "text.tabSize": 4,
                "text.rulers": [110]
            },
            "[markdown]": {
                // Two blanks at the end are a line break.
                "typing.trim": false,
                "text.wrap": "on"
            },
            "[makefile]": { "text.insertSpaces": false },

            // ---- The terminal ----

            "terminal.shell": "/bin/bash",
            "terminal.arguments": [
                "--login",
                // "--norc",
                "-i"
            ],
            "terminal.scrollback": 10000,
            "terminal.environment": {
                "LC_ALL": "C.UTF-8",
                "EDITOR": "pdefaults-edit" // for commits
            },
            "terminal.bell": null,

            // ---- Everything else ----

            "search.exclude": ["**/build", "**/*.lock"],
            "git.fetch": 180, // seconds; 0 is never
            "git.sign": true,
            "updates": "manual",
            "telemetry": "off", // please
        }

        """#

    /// Objects in objects, tabs, no comma behind the last member.
    private static let secondEditorText = """
        /*
         * The editor on the workstation.
         * See `editor --settings` for all names.
         */
        {
        \t// Colors follow the desktop.
        \t"theme": {
        \t\t"mode": "system",
        \t\t"light": "Paper",
        \t\t"dark": "Ink" // not "Ink Dimmed"
        \t},
        \t"fonts": {
        \t\t"buffer": { "family": "Iosevka", "size": 15 },
        \t\t"panels": { "family": "Inter", "size": 13.50 }
        \t},

        \t// Keys as in vi, with the clipboard of the system.
        \t"keys": "vi",
        \t// Sessions come back as they were.
        \t"restore": "last",
        \t"confirmQuit": false,
        \t"tabs": { "git": true, "icons": false },
        \t"cursorBlink": false,
        \t"vi": {
        \t\t"clipboard": "always",
        \t\t"relativeNumbers": true, // 5j is easier so
        \t\t"digraphs": {},
        \t\t"leader": " "
        \t},

        \t"panels": [
        \t\t// From left to right.
        \t\t{ "name": "project", "dock": "left", "width": 240 },
        \t\t{ "name": "outline", "dock": "left", "width": 240 }, // shares the dock
        \t\t{ "name": "terminal", "dock": "bottom", "height": 320 },
        \t\t{ "name": "chat", "dock": "right", "shown": false }
        \t],

        \t"languages": {
        \t\t// Swift
        \t\t"Swift": {
        \t\t\t"tabSize": 4,
        \t\t\t"servers": ["sourcekit-lsp", "..."],
        \t\t\t"formatOnSave": true
        \t\t},
        \t\t// Python
        \t\t"Python": {
        \t\t\t"tabSize": 4,
        \t\t\t"servers": ["pyright", "..."],
        \t\t\t"formatOnSave": true
        \t\t},
        \t\t// Rust
        \t\t"Rust": {
        \t\t\t"tabSize": 4,
        \t\t\t"servers": ["rust-analyzer", "..."],
        \t\t\t"formatOnSave": true
        \t\t},
        \t\t// Go
        \t\t"Go": {
        \t\t\t"tabSize": 8, // real tabs
        \t\t\t"servers": ["gopls", "..."],
        \t\t\t"formatOnSave": true
        \t\t},
        \t\t// C
        \t\t"C": {
        \t\t\t"tabSize": 8, // real tabs
        \t\t\t"servers": ["clangd", "..."],
        \t\t\t"formatOnSave": true
        \t\t},
        \t\t// YAML
        \t\t"YAML": {
        \t\t\t"tabSize": 2,
        \t\t\t"servers": ["yaml-server", "..."],
        \t\t\t"formatOnSave": true
        \t\t},
        \t\t// Shell
        \t\t"Shell": {
        \t\t\t"tabSize": 4,
        \t\t\t"servers": ["bash-server", "..."],
        \t\t\t"formatOnSave": true
        \t\t}
        \t},

        \t// Nothing leaves this machine.
        \t"telemetry": {
        \t\t"metrics": false,
        \t\t"crashes": false
        \t},
        \t"proxy": null, // set at the office
        \t"ssh": [
        \t\t{
        \t\t\t"host": "build.example.org",
        \t\t\t"folders": ["~/src"], // the large one
        \t\t\t"port": 2222
        \t\t}
        \t],
        \t"autosave": { "seconds": 1e1 },
        \t"scroll": { "margin": 3, "speed": 1.0 }
        \t/* "experimental": { "tabs": false } */
        }

        """

    /// Strict JSON, as the tool writes it.
    private static let packageText = #"""
        {
          "name": "@example/notes",
          "version": "2.4.1",
          "private": true,
          "description": "Notes that stay on your machine",
          "type": "module",
          "main": "./dist/index.js",
          "files": ["dist", "README.md"],
          "scripts": {
            "build": "tsc --build && node scripts/bundle.mjs",
            "test": "node --test \"test/**/*.test.js\"",
            "lint": "eslint . --max-warnings 0"
          },
          "dependencies": {
            "commonmark": "^0.31.2",
            "lit": "~3.2.0"
          },
          "devDependencies": {
            "@types/node": "^22.7.4",
            "eslint": "^9.12.0",
            "typescript": "5.6.x"
          },
          "engines": { "node": ">=20" },
          "browserslist": [
            "last 2 versions",
            "not dead"
          ],
          "license": "MIT"
        }

        """#

    /// Options with explanations behind them, and those that are not used as comments.
    private static let compilerText = #"""
        {
          "extends": "./base.json",
          "compilerOptions": {
            /* Output */
            "target": "es2022",                       /* What the oldest browser runs. */
            "module": "nodenext",                     /* As in package.json. */
            // "outFile": "./bundle.js",              /* One file for everything. */
            "outDir": "./dist",
            "sourceMap": true,

            /* Checks */
            "strict": true,                           /* All of the checks below. */
            // "noImplicitAny": true,
            // "strictNullChecks": true,
            "noUnusedLocals": true,                   /* An error, not a warning. */
            "skipLibCheck": true                      /* The types of others are theirs. */
          },
          "include": ["src/**/*.ts", "test"],
          "exclude": ["dist"], // made by the build
        }

        """#

    /// 50 sections of 100 members each.
    private static let composedText: String = {
        var text = "// Composed from 50 files. Changes here are kept.\n{\n"
        for section in 0..<50 {
            text += "  // Section \(section)\n  \"section\(section)\": {\n"
            for member in 0..<100 {
                let value = ["\(member)", "\"text \(member)\"", "true", "\(member).50", "[1, \(member)]"][
                    member % 5
                ]
                text += "    \"member\(member)\": \(value)\(member < 99 ? "," : "")"
                text += member % 10 == 3 ? " // see file \(member)\n" : "\n"
            }
            text += section < 49 ? "  },\n" : "  }\n"
        }
        return text + "}\n"
    }()
}
